import { describe, expect, it } from '@jest/globals';
import { Splits } from './splits.ts';

/** Sends a request of 200 devices to a store that refuses some of them. */
function send(isRefused: (device: number) => boolean): { requests: number; lost: number } {
  const splits = new Splits();
  const counts = { requests: 0, lost: 0 };
  const deliver = (devices: number[]): void => {
    counts.requests++;
    if (!devices.some(isRefused)) return splits.accepted();
    const middle = Math.ceil(devices.length / 2);
    if (!splits.refused(devices.length)) counts.lost += devices.length;
    else for (const half of [devices.slice(0, middle), devices.slice(middle)]) deliver(half);
  };
  deliver(Array.from({ length: 200 }, (_, device) => device));
  return counts;
}

describe('Splits', () => {
  it.each([0, 77, 100, 199])('lose one device if the store refuses device %i alone', (refused) => {
    expect(send((device) => device === refused).lost).toBe(1);
  });

  it('lose the refused devices of several', () => {
    expect(send((device) => device < 2).lost).toBe(2);
    expect(send((device) => device % 40 === 3).lost).toBe(5);
  });

  it('end early if the store refuses all', () => {
    expect(send(() => true)).toEqual({ requests: 19, lost: 200 });
  });

  it('are bounded if the store refuses every second device', () => {
    expect(send((device) => device % 2 === 0).requests).toBeLessThanOrEqual(81);
  });
});
