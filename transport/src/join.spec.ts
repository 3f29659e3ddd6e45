import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { duplexPair, type Duplex } from 'node:stream';
import { join } from './join.ts';

const PATIENCE_MS = 5_000;

/** Two far ends whose near ends are joined. */
function joined() {
  const [left, nearLeft] = duplexPair();
  const [nearRight, right] = duplexPair();
  let over = false;
  const done = join(nearLeft, nearRight, PATIENCE_MS).then(() => (over = true));
  const read: Buffer[] = [];
  right.on('data', (piece: Buffer) => read.push(piece));
  const text = () => Buffer.concat(read).toString();
  return { left, right, nearLeft, nearRight, text, done, isOver: () => over };
}

describe('joined connections', () => {
  it('pass bytes both ways, and each end separately', async () => {
    const { left, right, text, done, isOver } = joined();
    const heard: string[] = [];
    left.on('data', (piece: Buffer) => heard.push(String(piece)));
    left.write('one ');
    left.end('two');
    await until(() => right.readableEnded);
    expect(text()).toBe('one two');
    expect(isOver()).toBe(false);
    right.end('late answer');
    await done;
    await until(() => left.readableEnded);
    expect(heard.join('')).toBe('late answer');
  });

  it('apply backpressure to the sender', async () => {
    const { left, nearLeft, nearRight } = joined();
    nearRight.cork();
    const room = nearRight.writableHighWaterMark;
    const write = nearRight.write.bind(nearRight);
    let taken = 0;
    nearRight.write = ((piece: Buffer) => {
      taken += piece.length;
      write(piece);
      return taken < room;
    }) as Duplex['write'];
    for (let sent = 0; sent < 4 * room; sent += 1_024) left.write(Buffer.alloc(1_024));
    await until(() => nearLeft.isPaused());
    expect(taken).toBeLessThan(room + nearLeft.readableHighWaterMark);
    nearRight.emit('drain');
    expect(nearLeft.isPaused()).toBe(false);
  });

  it('break together', async () => {
    const { nearLeft, nearRight, done } = joined();
    nearLeft.destroy(new Error('reset'));
    await done;
    expect(nearRight.destroyed).toBe(true);
  });

  it('end at once if one has ended before', async () => {
    const [near] = duplexPair();
    const [gone] = duplexPair();
    gone.destroy();
    await until(() => gone.closed);
    await join(near, gone, PATIENCE_MS);
    expect(near.destroyed).toBe(true);
  });
});
