import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const run = promisify(execFile);

/** Paths of systemd-journal-remote(8), which is not on the PATH. */
const places = ['/usr/lib/systemd/systemd-journal-remote', '/lib/systemd/systemd-journal-remote'];

/** A line to write; only `message` is required. */
export interface NewLine {
  message: string | Buffer;
  unit?: string;
  identifier?: string;
  pid?: number;
  /** 0 (emergency) to 7 (debug). */
  priority?: number;
  /** `kernel` for a message of the kernel. */
  transport?: string;
}

/** Tells whether this machine can write journals. */
export function canWriteJournals(): boolean {
  return findWriter() !== undefined;
}

function findWriter(): string | undefined {
  return places.find((path) => {
    try {
      accessSync(path);
      return true;
    } catch {
      return false;
    }
  });
}

/** A journal of systemd in a separate folder, written through systemd-journal-remote(8) while others read it. */
export class PrivateJournal {
  readonly folder: string;
  private writer: ChildProcess;
  private clock = Date.now() * 1000;
  private boot = '00000000000000000000000000000001';

  private constructor(folder: string, writer: ChildProcess) {
    this.folder = folder;
    this.writer = writer;
  }

  /** @throws Error when the program is missing */
  static async make(folder: string): Promise<PrivateJournal> {
    const program = findWriter();
    if (!program) throw new Error('systemd-journal-remote is missing: install the package of that name');
    await mkdir(folder, { recursive: true });
    const args = [`--output=${join(folder, 'test.journal')}`, '-'];
    const writer = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(writer, 'spawn');
    return new PrivateJournal(folder, writer);
  }

  /** Writes lines, and waits until they are readable. */
  async write(...lines: NewLine[]): Promise<void> {
    for (const line of lines) this.writer.stdin?.write(this.encode(line));
    await until(async () => (await this.lastTime()) === String(this.clock), 10_000);
  }

  async close(): Promise<void> {
    const gone = once(this.writer, 'exit');
    this.writer.stdin?.end();
    await gone;
  }

  private async lastTime(): Promise<string | undefined> {
    const args = [`--directory=${this.folder}`, '--output=export', '--output-fields=PRIORITY', '--lines=1'];
    const { stdout } = await run('journalctl', args);
    return /^__REALTIME_TIMESTAMP=(\d+)$/m.exec(stdout)?.[1];
  }

  /** The Journal Export Format (systemd.io/JOURNAL_EXPORT_FORMATS). */
  private encode({ message, unit, identifier, pid, priority = 6, transport = 'journal' }: NewLine): Buffer {
    this.clock = Math.max(this.clock + 1, Date.now() * 1000);
    const fields: Record<string, string | number | undefined> = {
      __REALTIME_TIMESTAMP: this.clock,
      __MONOTONIC_TIMESTAMP: this.clock % 1e12,
      _BOOT_ID: this.boot,
      PRIORITY: priority,
      _TRANSPORT: transport,
      _SYSTEMD_UNIT: unit,
      SYSLOG_IDENTIFIER: identifier,
      _PID: pid,
    };
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const text = Buffer.from(message);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const head = given.map(([name, value]) => `${name}=${value}\n`).join('');
    return Buffer.concat([Buffer.from(`${head}MESSAGE\n`), length, text, Buffer.from('\n\n')]);
  }
}
