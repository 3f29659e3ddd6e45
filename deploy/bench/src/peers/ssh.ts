import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ask, freePort, portRefusal } from '@warren/infra/ports';
import { launch, untilReady, type ProcessSpec, type Running } from '@warren/infra/process';
import { findProgram } from '@warren/infra/programs';
import { spawnTerminal } from '../targets/pty.ts';
import type { Target } from '../terminal.ts';

const run = promisify(execFile);
const CLIENT_OPTIONS = [
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'LogLevel=ERROR',
  'BatchMode=yes',
  'ExitOnForwardFailure=yes',
];

/** A private sshd on loopback with separate keys: the alternative to a hub. */
export class Ssh {
  private readonly dir: string;
  private readonly port: number;
  private readonly running: Running[] = [];

  private constructor(dir: string, port: number) {
    this.dir = dir;
    this.port = port;
  }

  /** Undefined when OpenSSH's server is not installed. */
  static async start(): Promise<Ssh | undefined> {
    const program = findProgram('sshd');
    if (!program) return undefined;
    const ssh = new Ssh(await mkdtemp(join(tmpdir(), 'warren-bench-ssh-')), await freePort());
    await ssh.listen(program);
    return ssh;
  }

  /** A shell by `ssh`. */
  get terminal(): Target {
    const command = 'exec /bin/bash --norc --noprofile';
    return { name: 'ssh', open: async () => spawnTerminal('ssh', this.clientArguments(['-tt'], [command])) };
  }

  /**
   * Makes a port of this machine reachable through the connection of a client, as a device behind NAT would.
   * @returns the port on the side of the server
   */
  async reverse(port: number): Promise<number> {
    const remote = await freePort();
    const args = this.clientArguments(['-N', '-R', `127.0.0.1:${remote}:127.0.0.1:${port}`], []);
    await this.launch({ name: 'ssh -R', command: 'ssh', args }, remote);
    return remote;
  }

  async stop(): Promise<void> {
    for (const one of this.running.splice(0).reverse()) await one.stop();
    await rm(this.dir, { recursive: true, force: true });
  }

  private async listen(program: string): Promise<void> {
    const { dir, port } = this;
    for (const key of ['host', 'user'])
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, key)]);
    await copyFile(join(dir, 'user.pub'), join(dir, 'authorized_keys'));
    await chmod(join(dir, 'authorized_keys'), 0o600);
    await writeFile(join(dir, 'sshd_config'), configuration(dir, port));
    if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
    const args = ['-D', '-e', '-f', join(dir, 'sshd_config')];
    await this.launch({ name: 'sshd', command: program, args }, port, 'SSH-2.0-warren\r\n');
  }

  private async launch(
    what: Pick<ProcessSpec, 'name' | 'command' | 'args'>,
    port: number,
    say?: string,
  ): Promise<void> {
    const ready = () => (say === undefined ? listens(port) : ask('127.0.0.1', port, say));
    const spec = { ...what, log: join(this.dir, 'log'), ready };
    const running = launch(spec);
    this.running.push(running);
    await untilReady(spec, running);
  }

  private clientArguments(options: string[], command: string[]): string[] {
    const { dir, port } = this;
    const more = CLIENT_OPTIONS.flatMap((option) => ['-o', option]);
    const who = `${userInfo().username}@127.0.0.1`;
    return ['-F', 'none', '-i', join(dir, 'user'), '-p', String(port), ...more, ...options, who, ...command];
  }
}

/** Throws unless the port is taken. */
async function listens(port: number): Promise<void> {
  if (!(await portRefusal('127.0.0.1', port))) throw new Error(`nothing listens on port ${port}`);
}

function configuration(dir: string, port: number): string {
  return [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${join(dir, 'host')}`,
    `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
    `PidFile ${join(dir, 'pid')}`,
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'PrintMotd no',
  ].join('\n');
}
