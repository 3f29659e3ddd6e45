import { describe, expect, it } from '@jest/globals';
import { binaryCodec } from './codec.ts';
import { OutputPipe } from './output.ts';

const KIB = 1024;

function setUp(autoBusy = false) {
  const sent: { output: Uint8Array; offset: number }[] = [];
  const drained: number[] = [];
  const sink = {
    isBusy: false,
    busy: () => sink.isBusy,
    send: (message: { output: string | Uint8Array; offset: number }) => {
      sent.push(message as { output: Uint8Array; offset: number });
      if (autoBusy) sink.isBusy = true;
    },
  };
  const pipe = new OutputPipe(sink, binaryCodec, (offset) => drained.push(offset));
  return { pipe, sink, sent, drained };
}

describe('output on its way to a browser', () => {
  it('goes out at once while the socket is idle', () => {
    const { pipe, sent, drained } = setUp();
    expect(pipe.push(Buffer.from('a'), 0)).toBeUndefined();
    expect(sent).toEqual([{ output: Buffer.from('a'), offset: 0 }]);
    expect(drained).toEqual([1]);
  });

  it('is merged while the socket is busy, in order, into messages of 64 KiB at most', () => {
    const { pipe, sink, sent } = setUp();
    sink.isBusy = true;
    for (let index = 0; index < 100; index++) pipe.push(Buffer.alloc(KIB, index), index * KIB);
    expect(sent).toHaveLength(0);
    sink.isBusy = false;
    pipe.pump();
    expect(sent.map(({ output, offset }) => [offset, output.length])).toEqual([
      [0, 64 * KIB],
      [64 * KIB, 36 * KIB],
    ]);
    const bytes = Buffer.concat(sent.map(({ output }) => output));
    for (let index = 0; index < 100; index++) expect(bytes[index * KIB]).toBe(index);
  });

  it.each([0, 1])('holds the device up before pieces of %d bytes take more than they bring', (size) => {
    const { pipe, sink } = setUp();
    sink.isBusy = true;
    let pieces = 1;
    // Each one lies elsewhere, so that they can't be merged.
    while (!pipe.push(Buffer.alloc(size), pieces * 10)) pieces++;
    expect(pieces).toBeLessThan(2_100);
  });

  it('sends one message each time the socket has room', () => {
    const { pipe, sink, sent } = setUp(true);
    sink.isBusy = true;
    for (let index = 0; index < 3; index++) pipe.push(Buffer.alloc(60 * KIB), index * 60 * KIB);
    for (let turn = 1; turn <= 3; turn++) {
      sink.isBusy = false;
      pipe.pump();
      expect(sent).toHaveLength(turn);
    }
  });

  it('keeps apart what does not follow', () => {
    const { pipe, sink, sent } = setUp();
    sink.isBusy = true;
    pipe.push(Buffer.from('ab'), 0);
    pipe.push(Buffer.from('cd'), 10);
    sink.isBusy = false;
    pipe.pump();
    expect(sent.map(({ offset }) => offset)).toEqual([0, 10]);
    expect(pipe.sent).toBe(12);
  });

  it('blocks producers at 256 KiB until there is room again', async () => {
    const { pipe, sink } = setUp();
    sink.isBusy = true;
    for (let index = 0; index < 3; index++) expect(pipe.push(Buffer.alloc(64 * KIB), index * 64 * KIB)).toBeUndefined();
    let room = false;
    const waiting = pipe.push(Buffer.alloc(64 * KIB), 3 * 64 * KIB)?.then(() => (room = true));
    expect(waiting).toBeDefined();
    pipe.pump();
    await Promise.resolve();
    expect(room).toBe(false);
    sink.isBusy = false;
    pipe.pump();
    await waiting;
    expect(room).toBe(true);
  });

  it('unblocks producers when the socket closes', async () => {
    const { pipe, sink, sent } = setUp();
    sink.isBusy = true;
    const waiting = pipe.push(Buffer.alloc(300 * KIB), 0);
    pipe.discard();
    await waiting;
    expect(sent).toHaveLength(0);
  });

  it('sends everything at the end, busy or not', () => {
    const { pipe, sink, sent } = setUp();
    sink.isBusy = true;
    pipe.push(Buffer.from('last words'), 0);
    pipe.finish();
    expect(sent).toHaveLength(1);
  });
});
