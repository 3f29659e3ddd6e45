import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Command = [program: string, ...args: string[]];

/** Wraps a command so that it sees another host name, in a separate UTS namespace (namespaces(7)). */
function named(command: Command, host: string | undefined): Command {
  return host ? ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', host, ...command] : command;
}

/** Another agent on this machine, installed by the command that the console shows. */
export class SecondAgent {
  private readonly prefix: string;
  private readonly host: string | undefined;
  private process: ChildProcess | undefined;

  private constructor(prefix: string, host?: string) {
    this.prefix = prefix;
    this.host = host;
  }

  /**
   * Runs the install command without its `sudo`, into a separate folder and without a service.
   * @param host the name that the machine has for this agent; needs root
   * @param settings variables of the installer's environment
   */
  static async install(command: string, host?: string, settings: Record<string, string> = {}): Promise<SecondAgent> {
    const prefix = await mkdtemp(join(tmpdir(), 'warren-agent-'));
    const env = { ...process.env, WARREN_SERVICE: 'none', WARREN_PREFIX: prefix, ...settings };
    const [program, ...args] = named(['/bin/sh', '-c', command.replace(/\| sudo sh$/, '| sh')], host);
    await run(program, args, { env }).catch(async (error: unknown) => {
      await rm(prefix, { recursive: true, force: true });
      throw error;
    });
    return new SecondAgent(prefix, host);
  }

  /** The same on another machine: its files are copied while it runs, as on an SD card. */
  async copy(): Promise<SecondAgent> {
    const prefix = await mkdtemp(join(tmpdir(), 'warren-agent-'));
    // No process of that machine, and no socket of a shell: on a machine those are in memory.
    const filter = async (source: string) => !(await lstat(source)).isSocket();
    await cp(this.prefix, prefix, { recursive: true, verbatimSymlinks: true, filter });
    await rm(join(prefix, 'state', 'status.json'), { force: true });
    return new SecondAgent(prefix, this.host);
  }

  /** The file of the program. */
  get program(): string {
    return join(this.prefix, 'bin', 'warren-agent');
  }

  /** Its process; 0 while it does not run. */
  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** Dials the hub through another address from its next start on. */
  async route(hub: string): Promise<void> {
    const file = join(this.prefix, 'state', 'device.json');
    const device = JSON.parse(await readFile(file, 'utf8')) as { device_id: string };
    await writeFile(file, JSON.stringify({ ...device, hub }), { mode: 0o600 });
  }

  /** Says from its next start on that it is of another version. */
  async pretend(version: string): Promise<void> {
    await writeFile(join(this.prefix, 'current', 'package.json'), JSON.stringify({ version, type: 'module' }));
  }

  /** The folder of its state. */
  get state(): string {
    return join(this.prefix, 'state');
  }

  /** The device's id. */
  async device(): Promise<string> {
    const file = join(this.prefix, 'state', 'device.json');
    return (JSON.parse(await readFile(file, 'utf8')) as { device_id: string }).device_id;
  }

  /** @param settings variables of the agent's environment */
  start(settings: Record<string, string> = {}): void {
    const [program, ...args] = named([this.program, 'run'], this.host);
    // Its shells read no profile of the person who runs the tests.
    const env = { ...process.env, HOME: this.prefix, WARREN_STATE: join(this.prefix, 'state'), ...settings };
    this.process = spawn(program, args, { env, stdio: 'ignore' });
  }

  /** Ends it. @param signal SIGKILL leaves it no time */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  }

  /** Ends it and removes what was installed. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.prefix, { recursive: true, force: true });
  }
}
