import type { ExportEntry } from './export.ts';

/** One line of the journal. */
export interface JournalEntry {
  cursor: string;
  /** Microseconds since 1970. */
  time: bigint;
  /** 0 (emergency) to 7 (debug), as in syslog(3). */
  priority: number;
  unit: string;
  /** The program's name. */
  identifier: string;
  /** 0: not known. */
  pid: number;
  message: string;
  /** Bytes truncated from the message's end. */
  cut: number;
}

const MESSAGE_MAX = 16 * 1024;
const TEXT_MAX = 256;
const PRIORITY_INFO = 6;
const PID_MAX = 2 ** 22;

/** The fields of a line (systemd.journal-fields(7)), with the maximum size of each in bytes. */
export const LINE_FIELDS: Record<string, number> = {
  __CURSOR: 512,
  __REALTIME_TIMESTAMP: 24,
  MESSAGE: MESSAGE_MAX,
  PRIORITY: 4,
  SYSLOG_IDENTIFIER: TEXT_MAX,
  SYSLOG_PID: 16,
  _COMM: TEXT_MAX,
  _PID: 16,
  _SYSTEMD_UNIT: TEXT_MAX,
};

/** The line of an entry, or undefined when it lacks a cursor. */
export function toLine(entry: ExportEntry): JournalEntry | undefined {
  const cursor = textOf(entry, '__CURSOR');
  if (cursor === '') return undefined;
  const message = entry.get('MESSAGE');
  return {
    cursor,
    time: BigInt(numberOf(entry, '__REALTIME_TIMESTAMP', Number.MAX_SAFE_INTEGER) ?? 0),
    priority: numberOf(entry, 'PRIORITY', 7) ?? PRIORITY_INFO,
    unit: textOf(entry, '_SYSTEMD_UNIT'),
    identifier: textOf(entry, 'SYSLOG_IDENTIFIER') || textOf(entry, '_COMM'),
    pid: numberOf(entry, '_PID', PID_MAX) ?? numberOf(entry, 'SYSLOG_PID', PID_MAX) ?? 0,
    message: textOf(entry, 'MESSAGE'),
    cut: message ? message.size - message.kept.length : 0,
  };
}

/** Invalid UTF-8 becomes U+FFFD; a truncated character is dropped. */
function textOf(entry: ExportEntry, name: string): string {
  const value = entry.get(name);
  if (!value) return '';
  if (value.size === value.kept.length) return value.kept.toString('utf8');
  return new TextDecoder().decode(value.kept, { stream: true });
}

function numberOf(entry: ExportEntry, name: string, most: number): number | undefined {
  const text = textOf(entry, name);
  if (!/^\d{1,16}$/.test(text)) return undefined;
  return Number(text) <= most ? Number(text) : undefined;
}
