import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '@warren/infra/until';
import type { Engine } from './engine.ts';

const run = promisify(execFile);
const BOOT_MS = 60_000;

/** What systemd needs of a container to run as on a machine. */
const RIGHTS = [
  ...['--cap-add', 'SYS_ADMIN', '--cap-add', 'NET_ADMIN'],
  ...['--security-opt', 'seccomp=unconfined', '--security-opt', 'apparmor=unconfined'],
  ...['--cgroupns=host', '--volume', '/sys/fs/cgroup:/sys/fs/cgroup:rw', '--tmpfs', '/run', '--tmpfs', '/tmp'],
  ...['--stop-signal', 'SIGRTMIN+3'],
];

/** What a command left. */
export interface Said {
  code: number;
  /** Both of its outputs. */
  text: string;
}

/** A machine with Debian and a running systemd, in a container. */
export class Machine {
  private readonly id: string;

  private constructor(id: string) {
    this.id = id;
  }

  /**
   * @param hosts addresses of names that no DNS knows
   * @param where on which network; the hub of the tests is at localhost, for this machine as for the others
   */
  static async start(
    engine: Engine,
    host: string,
    hosts: Record<string, string> = {},
    where: { network: 'host' | 'bridge' } = { network: 'host' },
  ): Promise<Machine> {
    const known = Object.entries({ [host]: '127.0.0.1', ...hosts });
    const named = ['--hostname', host, ...known.flatMap(([name, address]) => ['--add-host', `${name}:${address}`])];
    const rights = [...RIGHTS, '--network', where.network];
    const args = ['run', '--detach', ...named, ...rights, await engine.image(), '/lib/systemd/systemd'];
    const { stdout } = await run('docker', args);
    const machine = new Machine(stdout.trim());
    await machine.booted();
    return machine;
  }

  /** Runs a script as root. */
  async sh(script: string): Promise<Said> {
    try {
      const { stdout, stderr } = await run('docker', ['exec', this.id, 'sh', '-c', script]);
      return { code: 0, text: stdout + stderr };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
      if (typeof code !== 'number') throw error;
      return { code, text: stdout + stderr };
    }
  }

  /** What a script says, without the last line break. @throws with what it said when it fails */
  async says(script: string): Promise<string> {
    const { code, text } = await this.sh(script);
    if (code !== 0) throw new Error(`${script}: ${code}: ${text}`);
    return text.trimEnd();
  }

  /** Copies a file or folder of this machine there. */
  async put(from: string, to: string): Promise<void> {
    await run('docker', ['cp', '--follow-link', from, `${this.id}:${to}`]);
  }

  /** Its address on its separate network. */
  async address(): Promise<string> {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return (await run('docker', ['inspect', '--format', format, this.id])).stdout.trim();
  }

  /** Waits until the machine has gone down by itself, and switches it on again. */
  async comeBack(): Promise<void> {
    await until(async () => (await this.state()) === 'exited', BOOT_MS);
    await run('docker', ['start', this.id]);
    await this.booted();
  }

  /** Takes its power away in the middle of what it does, and switches it on again. */
  async cutPower(): Promise<void> {
    await run('docker', ['kill', '--signal', 'KILL', this.id]);
    await this.comeBack();
  }

  async remove(): Promise<void> {
    await run('docker', ['rm', '--force', '--volumes', this.id]);
  }

  private async state(): Promise<string> {
    return (await run('docker', ['inspect', '--format', '{{.State.Status}}', this.id])).stdout.trim();
  }

  private async booted(): Promise<void> {
    await until(async () => /running|degraded/.test((await this.sh('systemctl is-system-running')).text), BOOT_MS);
  }
}
