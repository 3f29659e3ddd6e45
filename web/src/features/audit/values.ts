import { audit as text } from '../../lib/messages/audit.ts';
import { number } from '../../lib/numbers.ts';

/** Writes a value of an event for people. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return text.none;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  // Ports and years have no separators.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? text.none : value.map(itemText).join(', ');
  const entries = Object.entries(value as object);
  return entries.length === 0 ? text.none : entries.map(([key, one]) => `${key}=${itemText(one)}`).join(', ');
}

/** Details that count something. */
const COUNTS = /^(bytes|requests)/;

/** Writes a detail of an event for people. */
export function detailText(name: string, value: unknown): string {
  return typeof value === 'number' && COUNTS.test(name) ? number(value) : valueText(value);
}

const itemText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Writes the name of a field, `http_port`, as words. */
export function fieldText(field: string): string {
  const words = field.replaceAll(/[._]/g, ' ').replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b}`);
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
