import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { LINE_FIELDS, toLine, type JournalEntry } from './entry.ts';
import { ExportParser } from './export.ts';
import { failureOf, noticeOf } from './failure.ts';

/** Selects lines, and their order. */
interface JournalQuery {
  /** Starts at this line, inclusive, or at the next that matches. */
  cursor?: string;
  /** A unit's name, or `kernel`; empty for all. */
  unit?: string;
  /** The most lines. */
  lines?: number;
  /** `back`: newest first; `forth`: oldest first; `follow`: as `forth`, and then new ones. */
  order: 'back' | 'forth' | 'follow';
}

/** The journal of this device (journalctl(1)). */
export interface Journal {
  /**
   * Reads lines, some at a time, until there are no more or `signal` aborts; only the latter ends a read that follows.
   * @param onNotice called with the reason when the journal is incomplete
   * @throws JournalFailed when it can't be read
   */
  read(
    query: JournalQuery,
    signal: AbortSignal,
    onNotice?: (notice: string) => void,
  ): AsyncGenerator<JournalEntry[], void, void>;
  /**
   * The units with lines in the journal.
   * @throws JournalFailed when it can't be read
   */
  units(signal: AbortSignal): Promise<string[]>;
}

const STDERR_MAX = 4096;
const UNITS_MAX = 1024 * 1024;
/** The name that selects the kernel's messages; no unit has it, since units' names end in their type. */
const KERNEL = 'kernel';

/** @param directory the folder of the journal's files, when it is not the system's */
export function journalOf(directory?: string, program = 'journalctl'): Journal {
  const place = directory === undefined ? [] : [`--directory=${directory}`];
  const run = (args: string[], signal: AbortSignal) => start(program, [...place, ...args], signal);
  return {
    read: (query, signal, onNotice) => read(run(argumentsOf(query), signal), onNotice),
    units: (signal) => listUnits(run(['--field=_SYSTEMD_UNIT'], signal)),
  };
}

function argumentsOf({ cursor, unit, lines, order }: JournalQuery): string[] {
  const args = ['--no-pager', '--output=export', `--output-fields=${Object.keys(LINE_FIELDS).join(',')}`];
  if (order === 'back') args.push('--reverse');
  if (order === 'follow') args.push('--follow', '--no-tail');
  if (cursor) args.push(`--cursor=${cursor}`);
  if (lines !== undefined) args.push(`--lines=${lines}`);
  if (unit === KERNEL) args.push('_TRANSPORT=kernel');
  else if (unit) args.push(`--unit=${unit}`);
  return args;
}

async function* read(
  program: Program,
  onNotice?: (notice: string) => void,
): AsyncGenerator<JournalEntry[], void, void> {
  const parser = new ExportParser(LINE_FIELDS);
  try {
    for await (const chunk of program.stdout) {
      const lines = parser.push(chunk as Buffer).flatMap((entry) => toLine(entry) ?? []);
      if (lines.length > 0) yield lines;
    }
    const { stderr } = await program.finished();
    const notice = noticeOf(stderr);
    if (notice) onNotice?.(notice);
  } finally {
    program.stop();
  }
}

async function listUnits(program: Program): Promise<string[]> {
  let text = '';
  for await (const chunk of program.stdout) {
    text += String(chunk);
    if (text.length > UNITS_MAX) program.stop();
  }
  await program.finished();
  return text.split('\n').filter(Boolean);
}

interface Program {
  stdout: Readable;
  /** Settles when the program has exited. */
  finished(): Promise<{ stderr: string }>;
  stop(): void;
}

/** Starts `journalctl`, which `signal` ends. It only reads, so it can be killed at any moment. */
function start(program: string, args: string[], signal: AbortSignal): Program {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stopped = false;
  let failed: NodeJS.ErrnoException | undefined;
  let stderr = '';
  const stop = () => {
    stopped = true;
    child.kill('SIGKILL');
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(0, STDERR_MAX)));
  child.on('error', (error) => (failed = error));
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  signal.addEventListener('abort', stop, { once: true });
  void closed.then(() => signal.removeEventListener('abort', stop));
  if (signal.aborted) stop();
  const finished = async () => {
    await closed;
    const ended = { code: child.exitCode, stderr, ...(failed ? { error: failed } : {}) };
    if (failed || (!stopped && child.exitCode !== 0)) throw failureOf(ended);
    return { stderr };
  };
  return { stdout: child.stdout, finished, stop };
}
