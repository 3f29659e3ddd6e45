import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Another agent on this machine, installed by the command that the console shows. */
export class SecondAgent {
  readonly #prefix: string;
  #process: ChildProcess | undefined;

  private constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Runs the command with its `sudo` left out, into a folder of its own and without a service. */
  static async install(command: string): Promise<SecondAgent> {
    const prefix = await mkdtemp(join(tmpdir(), 'warren-agent-'));
    const env = { ...process.env, WARREN_SERVICE: 'none', WARREN_PREFIX: prefix };
    await run('/bin/sh', ['-c', command.replace(/\| sudo sh$/, '| sh')], { env });
    return new SecondAgent(prefix);
  }

  /** The file of the program. */
  get program(): string {
    return join(this.#prefix, 'bin', 'warren-agent');
  }

  /** Runs it; `before` is a command that it is run by. */
  start(before: string[] = []): void {
    const [program = this.program, ...args] = [...before, this.program, 'run'];
    const env = { ...process.env, WARREN_STATE: join(this.#prefix, 'state') };
    this.#process = spawn(program, args, { env, stdio: 'ignore' });
  }

  /** Ends it and removes what was installed. */
  async remove(): Promise<void> {
    const running = this.#process;
    if (running && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGTERM');
      await once(running, 'exit');
    }
    await rm(this.#prefix, { recursive: true, force: true });
  }
}
