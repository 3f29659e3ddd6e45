import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Installation, makePackages, type Package } from './installation.ts';

const run = promisify(execFile);

/** What a device lacks, or has otherwise than most do. */
describe('the installer', () => {
  let list: Package[];
  let world: Installation;

  beforeAll(async () => (list = await makePackages()));
  beforeEach(async () => (world = await Installation.make(list)));
  afterEach(() => world.end());

  it.each(['curl', 'wget'])('stops at an unknown authority with the first line of %s', async (program) => {
    await world.secure();
    const { code, output } = await world.install({}, program === 'wget' ? await world.withoutCurl() : {});
    expect(output).toMatch(
      /^(Downloading .*\n)?warren: can't download .*(SSL certificate problem|ERROR: cannot verify|is not trusted).*\n$/,
    );
    expect(code).toBe(69);
    expect(await readdir(world.folder)).not.toContain('prefix');
  });

  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);

  it.each([
    ['curl', 'behind', 3, 9, 5],
    ['wget', 'behind', 3, 9, 5],
    ['curl', 'ahead of', -9, -3, -5],
  ])('stops, by %s, when the clock is %s the certificate', async (program, direction, from, till, now) => {
    const file = await world.secure(hours(from), hours(till));
    world.hub.clock = () => hours(now);
    const env = { WARREN_CA: file, ...(program === 'wget' ? await world.withoutCurl() : {}) };
    const { code, output } = await world.install({}, env);
    const off = `the clock of this device is (4|5) hours ${direction} what ${world.hub.url} claims \\(.* GMT\\)`;
    expect(output).toMatch(
      new RegExp(`^warren: ${off}, which is unverified because .*: if the clock is wrong, set it, .*\\n$`),
    );
    expect(code).toBe(75);
    expect(await readdir(world.folder)).not.toContain('prefix');
  });

  it('stops at a clock that is less behind than a young certificate allows', async () => {
    const file = await world.secure(new Date(Date.now() + 60_000), hours(1));
    world.hub.clock = () => new Date(Date.now() + 90_000);
    const { code, output } = await world.install({}, { WARREN_CA: file });
    expect(output).toMatch(/^warren: the clock of this device is (8|9)\d seconds behind what \S+ claims \(/);
    expect(code).toBe(75);
  });

  it.each(['curl', 'wget'])('shows nothing of an unverified time, by %s, but a date', async (program) => {
    const file = await world.secure(hours(3), hours(9));
    const date = hours(5).toUTCString();
    world.hub.serve = ({ socket }) => {
      // date(1) takes text in parentheses for a comment. Written past Node, which refuses such a header.
      const head = `HTTP/1.1 200 OK\r\nDate: ${date} (\x1b]0;owned\x07\x1b[2J)\r\nContent-Length: 0`;
      socket.end(`${head}\r\nConnection: close\r\n\r\n`);
      return true;
    };
    const env = { WARREN_CA: file, ...(program === 'wget' ? await world.withoutCurl() : {}) };
    const { code, output } = await world.install({}, env);
    expect(output).toContain(` claims (${date}), which is unverified`);
    expect(output.trim()).toMatch(/^[ -~]*$/);
    expect(code).toBe(75);
  });

  it('refuses a folder with other files, and leaves them there', async () => {
    await writeFile(join(world.folder, 'photo.jpg'), 'a photo');
    const { code, output } = await world.install({}, { WARREN_PREFIX: world.folder });
    expect(output).toContain('which holds other files (photo.jpg): expected a folder for the agent alone');
    expect([code, await readdir(world.folder)]).toEqual([64, ['photo.jpg']]);
  });

  describe('as root, on a disk', () => {
    const asRoot = process.getuid?.() === 0 ? it : it.skip;
    const tried = 'sh; code=$?; find disk -mindepth 1; exit $code';

    asRoot.each([
      [
        'is mounted noexec',
        'mount -t tmpfs -o noexec tmpfs disk',
        71,
        /disk is mounted noexec, and the agent runs from/,
      ],
      ['is full', 'mount -t tmpfs -o size=20m tmpfs disk', 73, /disk has 2\d MB left; the agent needs 180 MB there/],
      ['is read-only', 'mount -t tmpfs -o ro tmpfs disk', 73, /can't write to \S+\/disk: Read-only file system/],
      [
        'fills up while the package is unpacked',
        'mount -t tmpfs -o size=400m,nr_inodes=9 tmpfs disk',
        73,
        /can't unpack \S+ in \S+\/disk\/agent: .*: No space left on device/,
      ],
    ])('that %s: stops with that, and leaves nothing behind', async (_what, made, status, expected) => {
      await mkdir(join(world.folder, 'disk'));
      const { code, output } = await world.install({}, { WARREN_PREFIX: 'disk/agent' }, `${made} && ${tried}`);
      const [why, ...left] = output
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('Downloading'));
      expect(why).toMatch(expected);
      expect([code, left]).toEqual([status, []]);
      expect(world.hub.enrolled).toHaveLength(0);
    });

    asRoot('of temporary files that fills up: stops with that, and leaves nothing behind', async () => {
      await mkdir(join(world.folder, 'disk'));
      const made = 'mount -t tmpfs -o size=400m,nr_inodes=3 tmpfs disk';
      const { code, output } = await world.install({}, { TMPDIR: join(world.folder, 'disk') }, `${made} && ${tried}`);
      expect(output).toMatch(/^warren: can't write to \S+\/disk\/\S+: No space left on device\n$/);
      expect([code, await readdir(world.folder)]).toEqual([73, ['disk']]);
    });

    asRoot('of temporary files that is mounted noexec: installs', async () => {
      await mkdir(join(world.folder, 'disk'));
      const made = 'mount -t tmpfs -o noexec tmpfs disk';
      const { code, output } = await world.install({}, { TMPDIR: join(world.folder, 'disk') }, `${made} && ${tried}`);
      expect(output).toContain('Enrolled as device');
      expect(code).toBe(0);
    });

    asRoot('that fills up at an upgrade: keeps the version that runs, and no half of another', async () => {
      await mkdir(join(world.folder, 'disk'));
      const steps = [
        'set -e; cat >script; mount -t tmpfs tmpfs disk; sh script; cd disk/agent',
        // As if another version had been installed.
        'old=$(readlink current); mv "$old" versions/old; ln -sfn "$PWD/versions/old" current',
        'mount -o remount,nr_inodes=$(($(find ../ | wc -l) + 2)) "$OLDPWD/disk"; cd ../..',
        'code=0; sh script || code=$?; ls disk/agent/versions; disk/agent/bin/warren-agent version; exit $code',
      ];
      const { code, output } = await world.install({}, { WARREN_PREFIX: 'disk/agent' }, steps.join('; '));
      expect(output).toMatch(/can't unpack .*: No space left on device\nold\n\d+\.\d+\.\d+\n$/);
      expect(code).toBe(73);
    });

    asRoot("that has no room for the device's entry: stops before the token is used", async () => {
      await mkdir(join(world.folder, 'prefix/state'), { recursive: true });
      const made = 'mount -t tmpfs -o size=4k tmpfs prefix/state';
      // Too small for the check before the download, so that check is what is left out.
      const { code, output } = await world.install(
        {},
        {},
        `sed 's/check_room "$STATE" 1000/:/' >script; ${made} && sh script`,
      );
      expect(output).toMatch(/warren-agent: can't write \S+\/prefix\/state\/\S+: no space is left\n$/);
      expect(code).toBe(73);
      expect(world.hub.enrolled).toHaveLength(0);
    });
  });

  describe('as root, on a system', () => {
    const asRoot = process.getuid?.() === 0 && process.arch === 'x64' ? it : it.skip;
    const musl = 'ld-musl-x86_64.so.1';

    asRoot('that has musl beside glibc: installs', async () => {
      await mkdir(join(world.folder, 'lib'));
      await mkdir(join(world.folder, 'own'));
      const steps = [
        `mount --bind /usr/lib own && ln -s "$PWD"/own/* lib && : >lib/${musl}`,
        `mount --bind lib /usr/lib && [ -e /lib/${musl} ] && exec sh`,
      ];
      const { code, output } = await world.install({}, {}, steps.join(' && '));
      expect(output).toContain('Enrolled as device');
      expect(code).toBe(0);
    });

    asRoot('that has musl alone: stops with that', async () => {
      for (const name of ['lib', 'lib64', 'own', 'bin']) await mkdir(join(world.folder, name));
      // No program starts without glibc, so it goes when the last one before the check is done.
      const last = `#!/bin/sh\n/usr/bin/getconf "$@"\nmount --bind '${world.folder}/lib64' /usr/lib64\n`;
      await writeFile(join(world.folder, 'bin/getconf'), last, { mode: 0o755 });
      const steps = [
        `mount --bind /usr/lib own && ln -s "$PWD"/own/* lib && : >lib/${musl}`,
        `mount --bind lib /usr/lib && exec sh`,
      ];
      const PATH = `${join(world.folder, 'bin')}:${process.env['PATH']}`;
      const { code, output } = await world.install({}, { PATH }, steps.join(' && '));
      expect(output).toBe('warren: this system is built on musl; the agent needs glibc 2.28 or later\n');
      expect(code).toBe(71);
    });

    asRoot('with a strict umask: leaves everything readable for the user of the agent', async () => {
      await chmod(world.folder, 0o755);
      const { code } = await world.install({}, { WARREN_CA: await world.secure() }, 'umask 077; exec sh');
      expect(code).toBe(0);
      const nobody = (...command: string[]) => run('setpriv', ['--reuid=65534', '--clear-groups', ...command]);
      expect((await nobody(world.launcher, 'version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect((await nobody('cat', join(world.folder, 'prefix/ca.pem'))).stdout).toContain('BEGIN CERTIFICATE');
      await expect(nobody('cat', join(world.folder, 'prefix/network.env'))).rejects.toThrow('Permission denied');
      await expect(nobody('cat', join(world.folder, 'prefix/state/key.pem'))).rejects.toThrow('Permission denied');
    });
  });
});
