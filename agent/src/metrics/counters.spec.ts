import { describe, expect, it } from '@jest/globals';
import { parseTraffic, trafficSince } from './counters.ts';

const DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0: 5000 50 0 0 0 0 0 0 700 7 0 0 0 0 0 0
 wlan0:9000 90 0 0 0 0 0 0 800 8 0 0 0 0 0 0
vethab12: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0
`;

describe('traffic', () => {
  it('is that of interfaces to other machines', () => {
    expect(parseTraffic(DEV)).toEqual(
      new Map([
        ['eth0', { rx: 5_000, tx: 700 }],
        ['wlan0', { rx: 9_000, tx: 800 }],
      ]),
    );
    expect(parseTraffic('')).toEqual(new Map());
  });

  it('counts from the former reading, and from 0 after a reset', () => {
    const before = new Map([
      ['eth0', { rx: 4_000, tx: 900 }],
      ['gone', { rx: 1, tx: 1 }],
    ]);
    expect(trafficSince(before, parseTraffic(DEV))).toEqual([{ name: 'eth0', rxBytes: 1_000n, txBytes: 700n }]);
  });

  it('is bounded for any number of interfaces', () => {
    const many = Array.from({ length: 40 }, (_, i) => `eth${i}: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0`).join('\n');
    expect(parseTraffic(many).size).toBe(16);
  });
});
