import { describe, expect, it } from '@jest/globals';
import { settled, until } from '@warren/infra/until';
import { RecordingPolicy } from '@warren/proto/audit/v1/recordings';
import { LARGEST_WINDOW } from '../src/links/stream.window.ts';
import { closed, DesktopStage, endOf, LIMIT, statusOf } from './desktop.stage.ts';
import type { Recorder } from './recorder.ts';

describe('what tunnels keeps of a recorded desktop', () => {
  const stage = new DesktopStage();

  it.each([1, 2, 3])(
    'equals what the server sent, through recorders that are killed in a flood (seed %d)',
    async (seed) => {
      const random = numbers(seed);
      const { browser, recorder: first, server } = await stage.begin(RecordingPolicy.REQUIRED);
      const whole = Buffer.concat(
        Array.from({ length: 60 }, () => Buffer.alloc(1 + random(200_000), `${random(1e9)} `)),
      );
      server.end(whole);
      let stored = Buffer.alloc(0);
      let recorder: Recorder = first;
      for (;;) {
        // Some of what it has received is durable when it dies.
        const from = stored.length;
        const dies = from + 500_000 + random(2_000_000);
        await until(() => {
          const got = recorder.bytes;
          if (got.length > 0) stored = Buffer.concat([stored.subarray(0, from), got]);
          recorder.send({ case: 'stored', value: BigInt(Math.max(from, stored.length - 1_000)) });
          return stored.length >= dies || endOf(recorder) !== undefined;
        });
        if (endOf(recorder)) break;
        recorder.close();
        stored = stored.subarray(0, Math.max(from, stored.length - random(1_000)));
        recorder = await stage.record('desktop', stored.length);
      }
      expect(stored.equals(whole)).toBe(true);
      expect(endOf(recorder)).toMatchObject({ missing: 0n });
      recorder.send(closed);
      await until(() => browser.shown().length === whole.length);
      expect(browser.shown().equals(whole)).toBe(true);
    },
  );

  it('that is required waits for its recorder with 2 MiB and a window at most, says so, and continues', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.REQUIRED);
    recorder.send({ case: 'trouble', value: 'The store is slow.' });
    const whole = Buffer.alloc(10 << 20, 'picture ');
    server.end(whole);
    const { bytes } = stage.sourceOf(recorder.session)!;
    await until(() => bytes.length >= LIMIT);
    const kept = await settled(() => bytes.length);
    expect(kept).toBeLessThanOrEqual(LIMIT + LARGEST_WINDOW);
    expect(browser.shown().length).toBeLessThanOrEqual(kept);
    expect(browser.heard('recording')).toMatchObject({ state: 'waiting' });
    expect(browser.heard('recording')?.['reason']).toContain('The desktop waits. The store is slow.');
    recorder.send({ case: 'trouble', value: '' });
    await until(() => {
      recorder.send({ case: 'stored', value: BigInt(recorder.bytes.length) });
      return endOf(recorder) !== undefined && browser.shown().length === whole.length;
    });
    expect(browser.heard('recording')).toMatchObject({ state: 'recording', reason: '' });
    expect(recorder.bytes.equals(whole)).toBe(true);
  });

  it('that waits continues when all of it is stored and the recorder died before it could say so', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.REQUIRED);
    const whole = Buffer.alloc(8 << 20, 'picture ');
    server.end(whole);
    const { bytes } = stage.sourceOf(recorder.session)!;
    await until(() => bytes.length >= LIMIT);
    const kept = await settled(() => bytes.length);
    await until(() => recorder.bytes.length === kept);
    recorder.close();
    const second = await stage.record('desktop', kept);
    await until(() => {
      const { length } = second.bytes;
      if (length > 0) second.send({ case: 'stored', value: BigInt(kept + length) });
      return endOf(second) !== undefined && browser.shown().length === whole.length;
    });
    expect(Buffer.concat([whole.subarray(0, kept), second.bytes]).equals(whole)).toBe(true);
  });

  it('with best effort never waits: its recording ends at 2 MiB with a gap, and the person sees it', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.BEST_EFFORT);
    const whole = Buffer.alloc(10 << 20, 'picture ');
    server.write(whole);
    await until(() => browser.shown().length === whole.length);
    await until(() => endOf(recorder) !== undefined);
    const { missing, reason } = endOf(recorder)!;
    expect(reason).toBe('More came than could be stored in time.');
    expect(recorder.bytes.length).toBeLessThanOrEqual(LIMIT);
    expect(recorder.bytes.equals(whole.subarray(0, recorder.bytes.length))).toBe(true);
    expect(missing).toBeGreaterThan(0n);
    expect(browser.heard('recording')).toMatchObject({ recorded: false, state: 'stopped' });
    recorder.send(closed);
    await until(async () => (await stage.announced()).length === 0);
    server.end('still shown');
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.shown().subarray(whole.length).toString()).toBe('still shown');
    expect(browser.all('recording').at(-1)).toMatchObject({ state: 'stopped' });
  });

  it('with best effort opens without a recorder, and is recorded from its first byte by one that comes late', async () => {
    await stage.ready(RecordingPolicy.BEST_EFFORT);
    const browser = stage.open();
    expect(await statusOf(browser)).toEqual({ success: true });
    stage.servers[0]!.end('all of it');
    await until(() => browser.heard('client_disconnect') !== undefined);
    const recorder = await stage.record('desktop');
    await until(() => endOf(recorder) !== undefined);
    expect(recorder.text).toBe('all of it');
  });

  it('is not joined in its middle: a recorder that lacks its beginning closes it', async () => {
    const { browser, recorder, server } = await stage.begin(RecordingPolicy.REQUIRED);
    const { bytes } = stage.sourceOf(recorder.session)!;
    server.write(Buffer.alloc(100_000, 'x'));
    await until(() => recorder.bytes.length === 100_000);
    recorder.send({ case: 'stored', value: 100_000n });
    await until(() => bytes.start === 100_000);
    recorder.close();
    const second = await stage.record('desktop', 0);
    await until(() => endOf(second) !== undefined);
    expect(endOf(second)).toMatchObject({ missing: 100_000n });
    second.send(closed);
    await until(() => browser.heard('client_disconnect') !== undefined);
    expect(browser.heard('client_disconnect')).toMatchObject({ code: 'unrecorded' });
  });
});

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
