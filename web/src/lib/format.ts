import { messages } from './messages.ts';
import { decimal, number } from './numbers.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Formats bytes: `1.5 GiB`. NaN or a negative number: 'Not known'. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value) || value < 0) return messages.common.unknown;
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  const scaled = value / 1024 ** step;
  return `${step === 0 || scaled >= 100 ? number(Math.round(scaled)) : decimal(scaled)} ${units[step]}`;
}

/** Formats a percentage from 0 to 100, with at most one decimal: `12.5 %`. Less than 100 is never shown as 100. */
export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return messages.common.unknown;
  return `${number(value < 100 ? Math.min(value, 99.9) : value)} %`;
}

/** Formats a percentage from 0 to 100 as a whole number, for narrow columns. Less than 100 is never shown as 100. */
export function wholePercent(value: number): string {
  return percent(value < 100 ? Math.min(Math.round(value), 99) : value);
}

/** Returns a part of a whole in percent, 0 to 100; 0 if the whole is unknown. */
export function share(part: number | null | undefined, whole: number | null | undefined): number {
  if (!part || !whole || whole <= 0) return 0;
  return Math.min(100, Math.max(0, (part / whole) * 100));
}

/** Formats seconds in the two largest units: `3 d 4 h`, `5 min`, `12 s`. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) {
    return messages.common.unknown;
  }
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = parts.slice(first, first + (first === 2 ? 1 : 2)).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** Formats the remaining time: `59:03` or `1:00:00`; never below zero. */
export function countdown(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const rest = `${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const spans: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 86_400 * 365],
  ['month', 86_400 * 30],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Formats an ISO time relative to `now` (ms since epoch): `5 minutes ago`. Empty or invalid input: 'Not known'. */
export function ago(iso: string | null | undefined, now: number): string {
  const at = iso ? Date.parse(iso) : NaN;
  if (Number.isNaN(at)) return messages.common.unknown;
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const [unit, size] = spans.find(([, span]) => seconds >= span) ?? ['second', 1];
  return relative.format(-Math.floor(seconds / size), unit);
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a time in the reader's locale and time zone: `Mar 4, 2026, 3:12 PM`. */
export function time(iso: string | null | undefined): string {
  const at = iso ? Date.parse(iso) : NaN;
  return Number.isNaN(at) ? messages.common.unknown : moment.format(at);
}

/** Returns the time in a UUIDv7, in ms since epoch (RFC 9562, section 5.7); NaN for another id. */
export function uuidTime(id: string): number {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : NaN;
}
