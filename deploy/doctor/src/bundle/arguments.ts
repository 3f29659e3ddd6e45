import { parseArgs } from 'node:util';
import { UsageError } from '../options.ts';

/** The input of a bundle, and its path. */
export interface BundleArguments {
  /** A path, or `-` for stdout; undefined for a name with the time, in the present folder. */
  out: string | undefined;
  sinceMs: number;
  anonymous: boolean;
  limitBytes: number;
  /** Whether stdin has further files as a tar archive. */
  input: boolean;
  /** Folder with log files. */
  logs: string | undefined;
  /** Addresses of processes' metrics. */
  ops: readonly Ops[];
}

/** Address of a process's health and metrics; the host name may resolve to several replicas. */
export interface Ops {
  name: string;
  host: string;
  port: number;
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function single<T>(flag: string, given: string, expected: string, read: (text: string) => T | undefined): T {
  const value = read(given);
  if (value === undefined) throw new UsageError(`${flag}: expected ${expected} (came: ${JSON.stringify(given)})`);
  return value;
}

function duration(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

function opsOf(text: string): Ops | undefined {
  const [, name, host, port] = /^([a-z0-9-]{1,40})=([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? [];
  return name && host && port ? { name, host, port: Number(port) } : undefined;
}

const megabytes = (text: string) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) * 1_000_000 : undefined);
const present = (text: string) => text || undefined;

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        out: { type: 'string' },
        since: { type: 'string', default: '24h' },
        anonymous: { type: 'boolean', default: false },
        'max-mb': { type: 'string', default: '50' },
        input: { type: 'string' },
        logs: { type: 'string' },
        ops: { type: 'string', multiple: true, default: [] },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`bundle: ${(error as Error).message.split('. ', 1)[0]}`);
  }
}

/** @throws UsageError with the flag, its value and the expected one */
export function readArguments(args: string[]): BundleArguments {
  const given = parsed(args);
  const { out, input, logs } = given;
  return {
    out: out === undefined ? undefined : single('--out', out, 'a path, or - for stdout', present),
    sinceMs: single('--since', given.since, 'minutes, hours or days, such as 30m, 24h or 7d', duration),
    anonymous: given.anonymous,
    limitBytes: single('--max-mb', given['max-mb'], 'a whole number from 1 to 9999, such as 50', megabytes),
    input: input !== undefined && single('--input', input, '- for stdin', (text) => (text === '-' ? true : undefined)),
    logs: logs === undefined ? undefined : single('--logs', logs, 'a folder', present),
    ops: given.ops.map((text) => single('--ops', text, 'NAME=HOST:PORT, such as gateway=gateway:9080', opsOf)),
  };
}
