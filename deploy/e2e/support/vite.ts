import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@warren/infra/until';
import { Served } from './served.ts';

const SAVED_MS = 30_000;
const PAGE = '<!doctype html><title>A page under work</title><p></p><script type="module" src="/main.js"></script>';

/** Takes a new `part.js` in without a reload of the page. */
const MAIN = `import { text } from './part.js';
const show = (text) => (document.querySelector('p').textContent = text);
show(text);
import.meta.hot.accept('./part.js', (part) => show(part.text));
`;

/** Vite's development server, started as people start it: a page whose text is in a separate module. */
export class ViteServer {
  private constructor(private readonly served: Served) {}

  static async start(port: number): Promise<ViteServer> {
    const served = await Served.folder(port, 'vite');
    const made = new ViteServer(served);
    await writeFile(join(served.folder, 'index.html'), PAGE);
    await writeFile(join(served.folder, 'main.js'), MAIN);
    await made.save('as it was');
    // Of a module that nothing is known to import, a change reloads the next page that comes; so what imports it is asked for first.
    await served.start('vite', 'bin/vite.js', ['--host', '127.0.0.1', '--port', `${port}`, '--strictPort'], '/main.js');
    return made;
  }

  get port(): number {
    return this.served.port;
  }

  /** Saves the module of the page's text, and resolves once the server has it. */
  async write(text: string): Promise<void> {
    await this.save(text);
    await until(async () => (await (await this.served.get('/part.js'))?.text())?.includes(text), SAVED_MS);
  }

  /** Whole at once, as an editor does: the server never reads half of it. */
  private async save(text: string): Promise<void> {
    const draft = `${this.served.folder}.part.js`;
    await writeFile(draft, `export const text = ${JSON.stringify(text)};\n`);
    await rename(draft, join(this.served.folder, 'part.js'));
  }

  stop(): Promise<void> {
    return this.served.stop();
  }
}
