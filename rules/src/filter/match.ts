import type { FieldName, Operator } from './fields.ts';
import type { FieldTerm, Filter, FilterValue } from './filter.ts';
import { NEVER } from './values.ts';
import { compareVersions } from './versions.ts';

/** What filters know of a device. A value that is not known is undefined: no comparison holds for it, and each negated one does. */
export interface FilterDevice {
  id: string;
  labels: Readonly<Record<string, string>>;
  connected: boolean;
  /** The name that people see, and the device's own. */
  name: string;
  hostname: string;
  account: { id: string; name: string };
  serial: string;
  addresses: readonly string[];
  os: string;
  kernel: string;
  arch: string;
  model: string;
  agentVersion: string;
  /** Milliseconds since 1970. */
  lastSeen: number;
  /** It was never connected; its `lastSeen` is when it was enrolled. */
  neverSeen?: boolean;
  created: number;
  uptimeSeconds?: number;
  cores?: number;
  /** Percent; of disks the fullest. */
  cpu?: number;
  memory?: number;
  disk?: number;
  /** Bytes. */
  ram?: number;
  diskSize?: number;
  load?: number;
  /** Seconds, ahead or behind. */
  clockOffset?: number;
  temperature?: number;
  throttled?: boolean;
  console: boolean;
  web: boolean;
  updateFailed?: boolean;
}

/** Tells whether a filter holds for a device. @param now milliseconds since 1970, from which ages count */
export function matches(filter: Filter, device: FilterDevice, now: number): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.terms.every((term) => matches(term, device, now));
    case 'or':
      return filter.terms.some((term) => matches(term, device, now));
    case 'not':
      return !matches(filter.term, device, now);
    case 'word':
      return [device.name, device.hostname, device.serial, ...device.addresses].some((text) =>
        contains(text, filter.text),
      );
    case 'labelled':
      return Object.hasOwn(device.labels, filter.key);
    case 'label':
      return labelHolds(filter, device);
    case 'field':
      return fieldHolds(filter, device, now);
  }
}

/** Values of labels are compared as they are written; `~` in any case. */
function labelHolds({ key, operator, text }: { key: string; operator: Operator; text: string }, device: FilterDevice) {
  const value = Object.hasOwn(device.labels, key) ? device.labels[key] : undefined;
  const holds = value !== undefined && (operator.endsWith('~') ? contains(value, text) : value === text);
  return holds !== operator.startsWith('!');
}

/** What devices report of themselves: compared in any case of ASCII, which databases do much faster than for all scripts. */
export const ASCII_FIELDS: ReadonlySet<FieldName> = new Set([
  'id',
  'serial',
  'address',
  'os',
  'kernel',
  'arch',
  'model',
  'agent',
]);

/** Lower-cases the letters A to Z alone. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const TEXTS: Partial<Record<FieldName, (device: FilterDevice) => readonly string[]>> = {
  name: ({ name }) => [name],
  id: ({ id }) => [id],
  account: ({ account }) => [account.name, account.id],
  serial: ({ serial }) => [serial],
  address: ({ addresses }) => addresses,
  os: ({ os }) => [os],
  kernel: ({ kernel }) => [kernel],
  arch: ({ arch }) => [arch],
  model: ({ model }) => [model],
};

const CHOICES: Partial<Record<FieldName, (device: FilterDevice) => string | undefined>> = {
  status: ({ connected }) => (connected ? 'connected' : 'disconnected'),
  throttled: ({ throttled }) => (throttled === undefined ? undefined : throttled ? 'yes' : 'no'),
  console: (device) => (device.console ? 'on' : 'off'),
  web: (device) => (device.web ? 'on' : 'off'),
  failed_update: ({ updateFailed = false }) => (updateFailed ? 'yes' : 'no'),
};

const NUMBERS: Partial<Record<FieldName, (device: FilterDevice) => number | undefined>> = {
  uptime: ({ uptimeSeconds }) => uptimeSeconds,
  cores: ({ cores }) => cores,
  cpu: ({ cpu }) => cpu,
  memory: ({ memory }) => memory,
  ram: ({ ram }) => ram,
  disk: ({ disk }) => disk,
  load: ({ load }) => load,
  clock: ({ clockOffset }) => (clockOffset === undefined ? undefined : Math.abs(clockOffset)),
  disk_size: ({ diskSize }) => diskSize,
  temperature: ({ temperature }) => temperature,
};

function fieldHolds(term: FieldTerm, device: FilterDevice, now: number): boolean {
  const { field, operator, text, value } = term;
  if (field === 'agent') return holdsForVersion(term, device.agentVersion);
  if (field === 'last_seen' && value === NEVER) return (device.neverSeen ?? false) === (operator === '=');
  if (field === 'last_seen') return momentHolds(device.lastSeen, operator, value, now);
  if (field === 'created') return momentHolds(device.created, operator, value, now);
  const texts = TEXTS[field]?.(device);
  if (texts) return textHolds(texts, operator, text, ASCII_FIELDS.has(field) ? asciiLower : unicodeLower);
  const choice = CHOICES[field];
  if (choice) return (choice(device) === value) !== operator.startsWith('!');
  const number = NUMBERS[field]?.(device);
  if (operator === '!=') return number !== value;
  return number !== undefined && orders(operator, number - (value as number));
}

const unicodeLower = (text: string) => text.toLowerCase();

function textHolds(
  texts: readonly string[],
  operator: Operator,
  text: string,
  lower: (text: string) => string,
): boolean {
  const part = lower(text);
  const holds = texts.some((one) => (operator.endsWith('~') ? lower(one).includes(part) : lower(one) === part));
  return holds !== operator.startsWith('!');
}

/** Tells whether a term of the field `agent` holds for a version; none does for an unknown one, and each negated one. */
function holdsForVersion({ operator, text }: FieldTerm, version: string): boolean {
  if (operator.endsWith('~')) return textHolds([version], operator, text, asciiLower);
  const order = version === '' ? undefined : compareVersions(version, text);
  if (operator === '!=') return order !== 0;
  return order !== undefined && orders(operator, order);
}

/** An age grows to the past: `last_seen<2h` is what was seen within the last two hours. */
function momentHolds(moment: number, operator: Operator, value: FilterValue, now: number): boolean {
  if (typeof value !== 'object') return false;
  return orders(operator, 'at' in value ? moment - value.at : now - moment - value.age * 1_000);
}

/** Tells whether an operator of order, or `=`, holds for a value that differs by so much from the one it is compared with. */
export function orders(operator: Operator, difference: number): boolean {
  switch (operator) {
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    default:
      return difference === 0;
  }
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
