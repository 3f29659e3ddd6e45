import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '@warren/infra/until';

const START_MS = 60_000;

/** Node-RED as people run it on a device, with a folder of its own. */
export class NodeRed {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, process: ChildProcess, folder: string) {
    this.port = port;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(port: number): Promise<NodeRed> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-node-red-'));
    const settings = { flowFile: 'flows.json', uiHost: '127.0.0.1', uiPort: port, telemetry: { enabled: false } };
    await writeFile(
      join(folder, 'settings.js'),
      `module.exports = { ...${JSON.stringify(settings)}, editorTheme: { tours: false } };`,
    );
    const program = join(dirname(createRequire(import.meta.url).resolve('node-red/package.json')), 'red.js');
    const child = spawn(process.execPath, [program, '--userDir', folder], { stdio: 'ignore' });
    const made = new NodeRed(port, child, folder);
    await until(() => made.#answers(), START_MS);
    return made;
  }

  /** The nodes of the flows that are deployed. */
  async nodes(): Promise<{ type: string; name?: string }[]> {
    const response = await fetch(`http://127.0.0.1:${this.port}/flows`);
    return (await response.json()) as { type: string; name?: string }[];
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/settings`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
