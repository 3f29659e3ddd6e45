import { describe, expect, it } from '@jest/globals';
import { parseLoad, parseMounts, parseTraffic, trafficSince } from './counters.ts';

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

describe('parseMounts', () => {
  it('has each disk once, and neither memory nor images', () => {
    const mounts = `/dev/mmcblk0p2 / ext4 rw 0 0
proc /proc proc rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/mmcblk0p1 /boot/firmware vfat rw 0 0
/dev/mmcblk0p2 /home ext4 rw 0 0
/dev/loop0 /snap/core/1 squashfs ro 0 0
overlay /var/lib/docker/overlay2/x/merged overlay rw 0 0
/dev/sda1 /media/My\\040Disk ext4 rw 0 0`;
    expect(parseMounts(mounts)).toEqual(['/', '/boot/firmware', '/media/My Disk']);
  });

  it('is the root of a container, too', () => {
    expect(parseMounts('overlay / overlay rw 0 0')).toEqual(['/']);
  });
});

it('parseLoad reads the last minute', () => {
  expect(parseLoad('0.42 0.30 0.10 1/123 4567')).toBe(0.42);
  expect(parseLoad('')).toBe(0);
});
