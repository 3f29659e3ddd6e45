import { until } from '@warren/infra/until';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const START_MS = 60_000;

const PAGE = '<!doctype html><title>A page under work</title><p></p><script type="module" src="/main.js"></script>';

/** Takes a new `part.js` in without a reload of the page. */
const MAIN = `import { text } from './part.js';
const show = (text) => (document.querySelector('p').textContent = text);
show(text);
import.meta.hot.accept('./part.js', (part) => show(part.text));
`;

/** Vite's development server, started as people start it: a page whose text stands in a module of its own. */
export class ViteServer {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, process: ChildProcess, folder: string) {
    this.port = port;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(port: number): Promise<ViteServer> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-vite-'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'main.js'), MAIN);
    const program = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
    const args = [program, '--host', '127.0.0.1', '--port', `${port}`, '--strictPort'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    const made = new ViteServer(port, child, folder);
    await made.write('as it was');
    await until(() => made.#answers(), START_MS);
    return made;
  }

  /** Saves the module of the page's text, as an editor does. */
  write(text: string): Promise<void> {
    return writeFile(join(this.#folder, 'part.js'), `export const text = ${JSON.stringify(text)};\n`);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/part.js`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
