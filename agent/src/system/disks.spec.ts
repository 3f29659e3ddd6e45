import { describe, expect, it } from '@jest/globals';
import { DiskReader, fullestOf, parseMounts } from './disks.ts';

const writable = (path: string) => ({ path, writable: true });

describe('DiskReader', () => {
  it('reads the sizes of disks, and leaves out those without one', async () => {
    const reader = new DiskReader(async (mount) => {
      if (mount === '/pulled') throw new Error('ENODEV');
      return { total: mount === '/empty' ? 0 : 100, used: 40 };
    });
    expect(await reader.read(['/', '/pulled', '/empty'].map(writable))).toEqual([
      { mount: '/', used: 40n, total: 100n, writable: true },
    ]);
  });

  it('does not read a disk again that has not answered', async () => {
    const asked: string[] = [];
    let answer = (_size: { total: number; used: number }) => {};
    const reader = new DiskReader((mount) => {
      asked.push(mount);
      if (mount === '/') return Promise.resolve({ total: 100, used: 40 });
      return new Promise((resolve) => (answer = resolve));
    }, 1);
    const both = ['/', '/hung'].map(writable);
    for (let round = 0; round < 3; round++) expect(await reader.read(both)).toHaveLength(1);
    expect(asked.filter((mount) => mount === '/hung')).toHaveLength(1);
    answer({ total: 50, used: 5 });
    await new Promise((resolve) => setImmediate(resolve));
    await reader.read(both);
    expect(asked.filter((mount) => mount === '/hung')).toHaveLength(2);
  });
});

describe('parseMounts', () => {
  it('lists each disk once, without file systems in memory and images', () => {
    const mounts = `/dev/mmcblk0p2 / ext4 rw 0 0
proc /proc proc rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/mmcblk0p1 /boot/firmware vfat rw 0 0
/dev/mmcblk0p2 /home ext4 rw 0 0
/dev/loop0 /snap/core/1 squashfs ro 0 0
overlay /var/lib/docker/overlay2/x/merged overlay rw 0 0
/dev/sda1 /media/My\\040Disk ext4 rw,nosuid 0 0
/dev/sdb1 /srv/golden ext4 ro,noatime 0 0`;
    expect(parseMounts(mounts)).toEqual([
      ...['/', '/boot/firmware', '/media/My Disk'].map(writable),
      { path: '/srv/golden', writable: false },
    ]);
  });

  it('is the root of a container, too', () => {
    expect(parseMounts('overlay / overlay rw 0 0')).toEqual([writable('/')]);
  });
});

describe('fullestOf', () => {
  const disk = (mount: string, used: bigint, isWritable = true) => ({
    mount,
    used,
    total: 1_000n,
    writable: isWritable,
  });

  it('is the disk with the largest share in use, the first of equal ones', () => {
    expect(fullestOf([disk('/', 400n), disk('/data', 935n), disk('/boot', 200n)])).toEqual({
      mount: '/data',
      usage: 93.5,
    });
    expect(fullestOf([disk('/', 400n), disk('/etc/hosts', 400n)])?.mount).toBe('/');
  });

  it('skips read-only file systems', () => {
    expect(fullestOf([disk('/', 400n), disk('/golden', 1_000n, false)])?.mount).toBe('/');
    expect(fullestOf([disk('/golden', 1_000n, false)])).toBeUndefined();
  });

  it('has a name that the hub takes', () => {
    const named = (mount: string) => fullestOf([disk(mount, 1n)])?.mount;
    expect(named('/data/\u0007\u202ebell')).toBe('/data/??bell');
    expect(named(`/${'😀'.repeat(200)}`)).toHaveLength(64);
  });
});
