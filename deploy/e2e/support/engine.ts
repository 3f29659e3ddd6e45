import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dockerAnswers } from '@warren/infra/docker';
import { until } from '@warren/infra/until';

const run = promisify(execFile);
const IMAGE = 'warren-test/systemd:bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const PACKAGES = 'systemd,systemd-sysv,dbus,curl,ca-certificates,procps,sudo,openssl';
const START_MS = 30_000;

/** The Docker engine of this machine; one that did not run is started for the tests and ended after them. */
export class Engine {
  private readonly daemon: ChildProcess | undefined;

  private constructor(daemon?: ChildProcess) {
    this.daemon = daemon;
  }

  static async start(): Promise<Engine> {
    if (await dockerAnswers()) return new Engine();
    const daemon = spawn('dockerd', { stdio: 'ignore' });
    daemon.on('error', () => {});
    await until(dockerAnswers, START_MS).catch(() => {
      daemon.kill();
      throw new Error('Docker: no engine answers, and dockerd does not start; run as root, or start it');
    });
    return new Engine(daemon);
  }

  async stop(): Promise<void> {
    if (!this.daemon || this.daemon.exitCode !== null) return;
    this.daemon.kill('SIGTERM');
    await once(this.daemon, 'exit');
  }

  /** The image of a machine: Debian with systemd, put together from Debian's own packages the first time. */
  async image(): Promise<string> {
    const { stdout } = await run('docker', ['image', 'ls', '--quiet', IMAGE]);
    if (stdout.trim() !== '') return IMAGE;
    const folder = await mkdtemp(join(tmpdir(), 'warren-machine-'));
    const root = join(folder, 'root');
    try {
      await run('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', root, MIRROR], {
        maxBuffer: 16 << 20,
      });
      // Each machine that starts from it generates a new machine id.
      const script = `: >${root}/etc/machine-id && rm -rf ${root}/var/cache/apt/archives/*.deb && tar -C ${root} -c . | docker import - ${IMAGE}`;
      await run('sh', ['-c', script]);
      return IMAGE;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Whether this machine can carry others: root, and Docker's programs. */
export const canCarryMachines = process.getuid?.() === 0 && existsSync('/usr/sbin/dockerd');
