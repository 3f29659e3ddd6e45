import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { armEmulator } from '@warren/local/steps/emulator';
import { devices, enrolmentToken } from '../../support/api.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

const run = promisify(execFile);

/** Other processors than this one, by the emulator that plays them and the libraries of theirs that Debian has. */
const processors = [
  { arch: 'arm64', emulator: 'qemu-aarch64-static', libraries: '/usr/aarch64-linux-gnu' },
  // This package brings its own libraries, and `lib/node` starts their loader.
  { arch: 'armv7l', emulator: armEmulator, loader: 'lib/runtime/ld-linux-armhf.so.3' },
];

/** Resizes a terminal that is closed, which the terminal module answers with an exception. */
const RESIZE = 'try { require(process.argv[1]).resize(-1, 80, 24, 0, 0) } catch ({ message }) { console.log(message) }';

/** Runs a program, however it is started, in the emulator. */
async function emulate(program: string, emulator: string): Promise<void> {
  await rename(program, `${program}.real`);
  await writeFile(program, `#!/bin/sh\nexec ${emulator} '${program}.real' "$@"\n`);
  await chmod(program, 0o755);
}

// An emulator takes a processor for a minute.
for (const { arch, emulator, libraries, loader } of processors) {
  test(`the package for ${arch} enrols, links and opens a shell`, SOAK, async ({ enter, warren }) => {
    test.setTimeout(240_000);
    test.skip(libraries !== undefined && !existsSync(libraries), `needs the libraries of ${arch}: run make programs`);
    const page = await enter('superAdmin');
    const { hub } = warren.facts;
    const { account } = warren.facts.device;
    const listed = await page.request.get('/install/packages/manifest.json');
    const { packages } = (await listed.json()) as { packages: { arch: string; file: string }[] };
    const file = packages.find((entry) => entry.arch === arch)?.file;
    expect(file, `the hub has no package for ${arch}: run make packages`).toBeDefined();

    const folder = await mkdtemp(join(tmpdir(), `warren-${arch}-`));
    const { token } = await enrolmentToken(page.request, hub, account);
    const name = `board-${arch}-${process.pid}`;
    const env = {
      ...process.env,
      ...(libraries && { QEMU_LD_PREFIX: libraries }),
      WARREN_STATE: join(folder, 'state'),
      WARREN_HUB: hub,
      WARREN_ACCOUNT: account,
      WARREN_TOKEN: token,
    };
    // A device with a distinct name, and a machine-id, since the serial comes from it.
    const script = `hostname "$0" && mount --bind "$1/machine-id" /etc/machine-id && shift && exec "$@"`;
    const agent = [join(folder, 'lib/node'), join(folder, 'lib/agent.mjs')];
    const inside = (command: string) => [
      ...['--uts', '--mount', 'sh', '-c', script, name, folder],
      ...[...agent, command],
    ];
    let end = async () => {};
    try {
      await writeFile(
        join(folder, 'machine-id'),
        `${Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32)}\n`,
      );
      const body = await (await page.request.get(`/install/packages/${file}`)).body();
      await writeFile(join(folder, 'package.tar.gz'), body);
      await run('tar', ['-xzf', join(folder, 'package.tar.gz'), '-C', folder]);
      await emulate(join(folder, loader ?? 'lib/node'), emulator);
      await emulate(join(folder, 'lib/helper'), emulator);
      // The module's own C++ library has to catch this, not Node's.
      const { stdout } = await run(join(folder, 'lib/node'), ['--eval', RESIZE, join(folder, 'lib/pty.node')], { env });
      expect(stdout).toContain('EBADF');
      const enrolled = await run('unshare', inside('enrol'), { env });
      expect(enrolled.stdout).toContain('Enrolled as device');
      const running = spawn('unshare', inside('run'), { env, stdio: 'ignore' });
      end = async () => {
        if (running.exitCode !== null || running.signalCode !== null) return;
        running.kill('SIGKILL');
        await once(running, 'exit');
      };
      const find = async () => (await devices(page.request, `account=${account}&search=${name}`)).devices[0];
      await expect.poll(async () => (await find())?.status, { timeout: 120_000 }).toBe('Connected');
      const id = (await find())?.id ?? '';
      const terminal = await WireTerminal.ofDevice(page.request, hub, id);
      terminal.type('echo $((6 * 7))-$(hostname)\r');
      await terminal.until(`42-${name}`);
      terminal.close();
    } finally {
      await end();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
