import { lookup } from 'node:dns/promises';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reason } from '../finding.ts';
import { ask } from '../request.ts';
import { FILE_BYTES } from './archive.ts';
import type { Ops } from './arguments.ts';

/** A file for the bundle. */
export interface Piece {
  name: string;
  text: string;
  /** Bytes that were cut from its beginning. */
  cut?: number;
}

/** Reads metrics and readiness of all replicas that a process's host name resolves to. */
export async function metricsOf({ name, host, port }: Ops): Promise<Piece[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true });
  const at = found.map(({ address, family }) => `http://${family === 6 ? `[${address}]` : address}:${port}`);
  const all = await Promise.all(
    at.map(async (origin, index): Promise<Piece[]> => {
      const replica = at.length > 1 ? `${name}-${index + 1}` : name;
      return [
        { name: `metrics/${replica}.txt`, text: await page(`${origin}/metrics`) },
        { name: `metrics/${replica}.readyz.txt`, text: await page(`${origin}/readyz`) },
      ];
    }),
  );
  return all.flat();
}

async function page(url: string): Promise<string> {
  const answer = await ask(new URL(url)).catch((error: unknown) => reason(error));
  return typeof answer === 'string' ? `${url}: ${answer}\n` : `# ${url}: ${answer.status}\n${answer.text}\n`;
}

/** Reads the log files of a folder from a time on. */
export async function* logsIn(folder: string, since: Date): AsyncGenerator<Piece> {
  const names = (await readdir(folder)).filter((name) => /^[\w.-]{1,80}\.log(\.old)?$/.test(name)).sort();
  for (const name of names) {
    const { text, cut } = await endOf(join(folder, name));
    yield { name: `logs/${name}`, text: linesSince(text, since), cut };
  }
}

async function endOf(path: string): Promise<{ text: string; cut: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const cut = Math.max(0, size - FILE_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - cut), 0, size - cut, cut);
    return { text: buffer.toString('utf8', 0, bytesRead), cut };
  } finally {
    await file.close();
  }
}

/** Returns the time of a line: `"time"` in milliseconds or as a date, or a date at its beginning. */
function timeOf(line: string): number | undefined {
  const [, millis, quoted, leading] =
    /"time":(?:(\d{13})|"([^"]{10,40})")|^\[?(\d{4}-\d\d-\d\d[T ][\d:.]+Z?)/.exec(line) ?? [];
  const time = millis ? Number(millis) : Date.parse(quoted ?? leading ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Lines without a time belong to the previous line. */
function linesSince(text: string, since: Date): string {
  let kept = true;
  return text
    .split('\n')
    .filter((line) => {
      const time = timeOf(line);
      if (time !== undefined) kept = time >= since.getTime();
      return kept;
    })
    .join('\n');
}
