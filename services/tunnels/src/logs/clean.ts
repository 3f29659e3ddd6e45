import type { LogLine, LogPage } from '@warren/proto/agent/v1/agent';
import { deviceWords } from '../sockets/words.ts';
import type { LineJson, PageJson } from './messages.ts';

const MESSAGE_MAX = 16 * 1024;
const NAME_MAX = 256;
const CURSOR = /^[a-z]=[\da-f]+(;[a-z]=[\da-f]+){0,9}$/;
const PRIORITY_DEBUG = 7;
const PRIORITY_INFO = 6;
const PID_MAX = 2 ** 22;
/** The latest time of a Date (ECMA-262, Time Values), in microseconds. */
const TIME_MAX = 8_640_000_000_000_000_000n;

/** Colours and the like of terminals (ECMA-48, CSI); they are common in logs, and mean nothing on a page. */
// oxlint-disable-next-line no-control-regex
const STYLES = /\u001b\[[\d;:]*[mK]/g;
/** Characters that spoof or reorder text: controls but tab and newline, and format characters but those that join letters. */
const HIDDEN = /(?!\t|\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a device's text safe to display: shows invisible and reordering characters.
 * @param most characters
 */
export function visible(untrusted: string, most = MESSAGE_MAX): string {
  return untrusted.slice(0, most).toWellFormed().replace(STYLES, '').replace(/\r+$/gm, '').replace(HIDDEN, shown);
}

/** Shows control characters as Unicode control pictures, and others by their code point. */
function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}

const name = (untrusted: string) => visible(untrusted, NAME_MAX).replace(/\s+/g, ' ');

/** A line for the browser; undefined if it has no place in the journal. */
export function cleanLine({ cursor, time, priority, unit, identifier, pid, message, cut }: LogLine): LineJson[] {
  if (cursor.length > 512 || !CURSOR.test(cursor)) return [];
  return [
    {
      cursor,
      time: new Date(Number((time > TIME_MAX ? 0n : time) / 1000n)).toISOString(),
      priority: priority > PRIORITY_DEBUG ? PRIORITY_INFO : priority,
      unit: name(unit),
      identifier: name(identifier),
      pid: pid > PID_MAX ? 0 : pid,
      message: visible(message),
      cut: Math.min(Number(cut), Number.MAX_SAFE_INTEGER) + Math.max(0, message.length - MESSAGE_MAX),
    },
  ];
}

/** A page for the browser. */
export function cleanPage({ lines, older, reached, notice }: LogPage): PageJson {
  const at = reached > TIME_MAX ? 0n : reached;
  return {
    lines: lines.flatMap(cleanLine),
    older: CURSOR.test(older) && older.length <= 512 ? older : '',
    reached: at === 0n ? null : new Date(Number(at / 1000n)).toISOString(),
    notice: deviceWords(notice),
  };
}
