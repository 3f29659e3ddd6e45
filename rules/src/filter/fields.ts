/** How the value of a field is written and compared. */
export type FieldKind =
  /** One of a few words. */
  | 'choice'
  /** Text, compared in any case. */
  | 'text'
  /** A semantic version (semver.org); `~` compares it as text. */
  | 'version'
  /** A number, with `unit` if it has one. */
  | 'number'
  /** Bytes: `512MB`, `4GiB`. */
  | 'bytes'
  /** Seconds: `90s`, `2h`, `7d`. */
  | 'duration'
  /** A moment: its age (`7d`) or a date in UTC (`2026-11-24`). */
  | 'time'
  /** The same, or `never`, which `=` and `!=` compare. */
  | 'seen';

export interface FilterField {
  kind: FieldKind;
  /** What the field is, in a few words. */
  about: string;
  example: string;
  /** Of a choice. */
  values?: readonly string[];
  /** Of a number: bounds of what may be written. */
  min?: number;
  max?: number;
  /** It changes with load or time. */
  volatile?: true;
}

const SWITCH = ['on', 'off'] as const;
const YES_NO = ['yes', 'no'] as const;
const percent = (about: string, example: string): FilterField => ({
  kind: 'number',
  about,
  example,
  min: 0,
  max: 100,
  volatile: true,
});

/** The fields that a filter may name. Another name before an operator is the key of a label. */
export const FILTER_FIELDS = {
  status: {
    volatile: true,
    kind: 'choice',
    about: 'Whether it is connected',
    example: 'status=connected',
    values: ['connected', 'disconnected'],
  },
  name: { kind: 'text', about: 'Name', example: 'name~pump' },
  id: { kind: 'text', about: 'ID', example: 'id=01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f' },
  account: { kind: 'text', about: 'Name or ID of its account', example: 'account="Meadow Farms"' },
  serial: { kind: 'text', about: 'Serial', example: 'serial=10000000a3b4c5d6' },
  address: { kind: 'text', about: 'Private or public address', example: 'address~192.168.' },
  os: { kind: 'text', about: 'Operating system', example: 'os~bookworm' },
  kernel: { kind: 'text', about: 'Kernel', example: 'kernel~6.12' },
  arch: { kind: 'text', about: 'Processor architecture', example: 'arch=aarch64' },
  model: { kind: 'text', about: 'Model of the hardware', example: 'model~"Pi 4"' },
  agent: { kind: 'version', about: 'Version of the agent', example: 'agent<0.2.0' },
  last_seen: {
    volatile: true,
    kind: 'seen',
    about: 'Time since it was last connected, or never',
    example: 'last_seen>7d',
  },
  clock: { volatile: true, kind: 'duration', about: 'Offset of its clock from the hub’s', example: 'clock>1m' },
  created: { kind: 'time', about: 'When it was enrolled', example: 'created<30d' },
  uptime: { volatile: true, kind: 'duration', about: 'Time since it booted', example: 'uptime>90d' },
  cores: { kind: 'number', about: 'Processor cores', example: 'cores>=4', min: 0, max: 65_536 },
  cpu: percent('CPU usage in percent', 'cpu>80'),
  memory: percent('Used memory in percent', 'memory>90'),
  ram: { kind: 'bytes', about: 'Size of the memory', example: 'ram>=4GB' },
  disk: percent('Usage of its fullest disk in percent', 'disk>90'),
  disk_size: { kind: 'bytes', about: 'Size of the disk', example: 'disk_size<16GB' },
  load: {
    kind: 'number',
    about: '1-minute load average',
    example: 'load>4',
    min: 0,
    max: 1_000_000,
    volatile: true,
  },
  temperature: {
    volatile: true,
    kind: 'number',
    about: 'Temperature in °C',
    example: 'temperature>70',
    min: -60,
    max: 200,
  },
  throttled: {
    volatile: true,
    kind: 'choice',
    about: 'Whether its firmware throttles it now',
    example: 'throttled=yes',
    values: YES_NO,
  },
  failed_update: {
    volatile: true,
    kind: 'choice',
    about: 'Whether its last update failed',
    example: 'failed_update=yes',
    values: YES_NO,
  },
  console: { kind: 'choice', about: 'Whether its console is on', example: 'console=off', values: SWITCH },
  web: { kind: 'choice', about: 'Whether its web service is on', example: 'web=on', values: SWITCH },
} as const satisfies Record<string, FilterField>;

export type FieldName = keyof typeof FILTER_FIELDS;

export function isField(name: string): name is FieldName {
  return Object.hasOwn(FILTER_FIELDS, name);
}

export function fieldOf(name: FieldName): FilterField {
  return FILTER_FIELDS[name];
}

export const OPERATORS = ['=', '!=', '~', '!~', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

const EQUAL = ['=', '!='] as const;
const CONTAINS = ['~', '!~'] as const;
const ORDER = ['<', '<=', '>', '>='] as const;

/** The operators that each kind of field takes. */
export const OPERATORS_OF: Readonly<Record<FieldKind | 'label', readonly Operator[]>> = {
  choice: EQUAL,
  text: [...EQUAL, ...CONTAINS],
  label: [...EQUAL, ...CONTAINS],
  version: OPERATORS,
  number: [...EQUAL, ...ORDER],
  bytes: [...EQUAL, ...ORDER],
  duration: ORDER,
  time: ORDER,
  seen: [...EQUAL, ...ORDER],
};
