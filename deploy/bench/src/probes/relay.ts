import type { Pipe, PipeTarget } from '../pipe.ts';
import { percentile } from '../stats.ts';

const PIECE = Buffer.alloc(64 * 1024, 'y');
const MESSAGE = Buffer.alloc(64, 'z');
const WARM = 200;
const PATIENCE_MS = 60_000;

/** MB/s from the device, from the first byte to the last. */
export async function relayDown(target: PipeTarget, megabytes: number): Promise<number> {
  const wanted = megabytes * 1_000_000;
  const pipe = await target.open();
  try {
    const seconds = await within(target, (done) => {
      let got = 0;
      let start = 0;
      pipe.onData((bytes) => {
        if (got === 0) start = performance.now();
        got += bytes.length;
        if (got >= wanted) done((performance.now() - start) / 1_000);
      });
      void pipe.write(Buffer.from(`down ${wanted}\n`));
    });
    return megabytes / seconds;
  } finally {
    pipe.close();
  }
}

/** MB/s to the device, until it has said that all is there. */
export async function relayUp(target: PipeTarget, megabytes: number): Promise<number> {
  const wanted = megabytes * 1_000_000;
  const pipe = await target.open();
  try {
    await pipe.write(Buffer.from(`up ${wanted}\n`));
    const start = performance.now();
    const seconds = within(target, (done) => pipe.onData(() => done((performance.now() - start) / 1_000)));
    for (let left = wanted; left > 0; left -= PIECE.length)
      await pipe.write(PIECE.subarray(0, Math.min(left, PIECE.length)));
    return megabytes / (await seconds);
  } finally {
    pipe.close();
  }
}

/** 64 bytes there and back, one after another: milliseconds. */
export async function relayEcho(target: PipeTarget, samples: number): Promise<{ p50Ms: number; p99Ms: number }> {
  const pipe = await target.open();
  try {
    await pipe.write(Buffer.from('echo\n'));
    const times: number[] = [];
    for (let count = -WARM; count < samples; count++) {
      const ms = await roundTrip(target, pipe);
      if (count >= 0) times.push(ms);
    }
    return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  } finally {
    pipe.close();
  }
}

/** The same while another stream of the same device runs flat out: the 99th percentile, milliseconds, and that stream's MB/s meanwhile. */
export async function relayEchoBesideBulk(
  target: PipeTarget,
  samples: number,
): Promise<{ p99Ms: number; rate: number }> {
  const bulk = await target.open();
  try {
    const running = within(target, (done) => bulk.onData(() => done(0)));
    await bulk.write(Buffer.from(`down ${Number.MAX_SAFE_INTEGER}\n`));
    await running;
    let got = 0;
    bulk.onData((bytes) => (got += bytes.length));
    const start = performance.now();
    const { p99Ms } = await relayEcho(target, samples);
    return { p99Ms, rate: got / 1_000 / (performance.now() - start) };
  } finally {
    bulk.close();
  }
}

function roundTrip(target: PipeTarget, pipe: Pipe): Promise<number> {
  return within(target, (done) => {
    const start = performance.now();
    let got = 0;
    pipe.onData((bytes) => {
      got += bytes.length;
      if (got >= MESSAGE.length) done(performance.now() - start);
    });
    void pipe.write(MESSAGE);
  });
}

function within(target: PipeTarget, work: (done: (figure: number) => void) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${target.name}: nothing came in ${PATIENCE_MS} ms`)), PATIENCE_MS);
    work((figure) => {
      clearTimeout(late);
      resolve(figure);
    });
  });
}
