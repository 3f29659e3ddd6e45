import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What the services wrote since a moment. */
export class Logs {
  private readonly folder: string;
  private readonly from: ReadonlyMap<string, number>;

  private constructor(folder: string, from: Map<string, number>) {
    this.folder = folder;
    this.from = from;
  }

  static async from(home: string): Promise<Logs> {
    const folder = join(home, 'logs');
    const from = new Map<string, number>();
    for (const file of await readdir(folder)) from.set(file, (await stat(join(folder, file))).size);
    return new Logs(folder, from);
  }

  /** Lines of level error and above, and what is no line of a log at all: a crash. */
  async errors(services: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const name of services) {
      const file = `${name}.log`;
      const text = (await readFile(join(this.folder, file))).subarray(this.from.get(file) ?? 0).toString();
      found.push(
        ...text
          .split('\n')
          .filter(isError)
          .map((line) => `${name}: ${line.slice(0, 600)}`),
      );
    }
    return found;
  }
}

function isError(line: string): boolean {
  if (line.trim() === '') return false;
  return !/"level":"(?:trace|debug|info|warn)"/.test(line);
}
