import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '@warren/infra/until';

const START_MS = 60_000;

/** A program of an npm package that serves a port of this machine, in a separate folder. */
export class Served {
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
  ) {}

  /** @param name begins the folder's name */
  static async folder(port: number, name: string): Promise<Served> {
    return new Served(port, await mkdtemp(join(tmpdir(), `warren-${name}-`)));
  }

  /**
   * Resolves once the program answers.
   * @param file the program, in the folder of the package
   * @param path where it answers when it is there
   */
  async start(name: string, file: string, args: string[], path: string): Promise<void> {
    const program = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
    this.process = spawn(process.execPath, [program, ...args], { cwd: this.folder, stdio: 'ignore' });
    await until(async () => (await this.get(path))?.ok, START_MS);
  }

  /** Undefined while nothing answers. */
  get(path: string): Promise<Response | undefined> {
    return fetch(`http://127.0.0.1:${this.port}${path}`).catch(() => undefined);
  }

  async stop(): Promise<void> {
    if (this.process?.exitCode === null) {
      this.process.kill('SIGTERM');
      await once(this.process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
