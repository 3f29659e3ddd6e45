/** One line of a device's journal. */
export interface LogLine {
  /** Its unique cursor in the journal. */
  cursor: string;
  /** ISO 8601. */
  time: string;
  /** 0 (emergency) to 7 (debug). */
  priority: number;
  unit: string;
  identifier: string;
  /** 0: not known. */
  pid: number;
  message: string;
  /** Truncated bytes of the message. */
  cut: number;
}

export interface LogPage {
  lines: LogLine[];
  older: string;
  reached: string | null;
  notice: string;
}

type Fields = Record<string, unknown>;

const fieldsOf = (message: unknown): Fields => (typeof message === 'object' && message ? (message as Fields) : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

export const viewOf = (message: unknown): number => number(fieldsOf(message)['view']);
export const reasonOf = (message: unknown): string => text(fieldsOf(message)['reason']);
/** Whether a device refused because its journal is empty, as agents up to 0.1.0 do; later ones send an empty page. */
export const isEmptyJournal = (message: unknown): boolean =>
  /journal of this device is empty|keeps no journal/.test(reasonOf(message));
export const mayRetry = (message: unknown): boolean => fieldsOf(message)['retry'] === true;

export function linesOf(message: unknown): LogLine[] {
  const lines = fieldsOf(message)['lines'];
  return Array.isArray(lines) ? lines.map(lineOf) : [];
}

export function pageOf(message: unknown): LogPage {
  const { older, reached, notice } = fieldsOf(message);
  return { lines: linesOf(message), older: text(older), reached: text(reached) || null, notice: text(notice) };
}

export function unitsOf(message: unknown): string[] {
  const units = fieldsOf(message)['units'];
  return Array.isArray(units) ? units.map(text).filter(Boolean) : [];
}

function lineOf(value: unknown): LogLine {
  const { cursor, time, priority, unit, identifier, pid, message, cut } = fieldsOf(value);
  return {
    cursor: text(cursor),
    time: text(time),
    priority: number(priority),
    unit: text(unit),
    identifier: text(identifier),
    pid: number(pid),
    message: text(message),
    cut: number(cut),
  };
}
