/** What an account may have of one thing. */
interface Quota {
  /** As the console calls it. */
  label: string;
  /** What is counted, as in `5 devices`; for people. */
  unit: string;
  /** What is in it, for the console and the documentation. */
  about: string;
  /** What makes room, as a sentence. */
  advice: string;
  /** Bounds of what may be set. */
  min: number;
  max: number;
  /** The limit where neither the installation nor the account sets one; null: unlimited. */
  standard: number | null;
  /** Of a quota of bytes: the unit of its numbers, and how many bytes that is. */
  bytes?: { unit: string; each: number };
}

/** The quotas of accounts. The operator account has none. */
export const QUOTAS = {
  devices: {
    label: 'Devices',
    unit: 'devices',
    about: 'Enrolled devices, connected or not.',
    advice: 'Delete a device that is no longer used',
    min: 0,
    max: 1_000_000,
    standard: 10_000,
  },
  users: {
    label: 'Users',
    unit: 'users and pending invitations',
    about: 'Users, active or disabled, and pending invitations.',
    advice: 'Delete a user or cancel an invitation',
    min: 1,
    max: 1_000_000,
    standard: 1_000,
  },
  sessions: {
    label: 'Sessions',
    unit: 'signed-in sessions',
    about: 'Signed-in browsers. A further sign-in ends the session that has been unused the longest.',
    advice: 'Sign out where you no longer need it',
    min: 1,
    max: 1_000_000,
    standard: 5_000,
  },
  sockets: {
    label: 'Open sockets',
    unit: 'open terminals, desktops, logs and web services',
    about: 'Terminals, desktops, logs and web services of devices that people have open at the same time.',
    advice: 'Close one that is no longer needed',
    min: 0,
    max: 1_000_000,
    standard: 1_000,
  },
  api_calls: {
    label: 'API calls',
    unit: 'API calls a minute',
    about: 'Calls of the REST API by signed-in people, those of the console among them, in a minute.',
    advice: 'Wait a moment',
    min: 60,
    max: 10_000_000,
    standard: 12_000,
  },
  traffic: {
    label: 'Traffic',
    unit: 'GB of traffic a month',
    about:
      'Bytes of terminals, desktops and web services of devices in a calendar month (UTC), both ways; 1 GB is 1,000,000,000 bytes.',
    advice: 'Wait for the first of the next month',
    min: 0,
    max: 1_000_000,
    standard: null,
    bytes: { unit: 'GB', each: 1e9 },
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof QUOTAS;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The limit of each quota; null: unlimited. */
export type QuotaLimits = Readonly<Record<QuotaName, number | null>>;

/** What an account has in place of the defaults. */
export type OwnQuotas = Readonly<Partial<QuotaLimits>>;

/** From here on the console warns. */
export const NEARLY_FULL = 0.8;

export const isQuotaName = (text: string): text is QuotaName => Object.hasOwn(QUOTAS, text);

/** Whether a limit may be set. */
export function fitsQuota(name: QuotaName, limit: number): boolean {
  const { min, max } = QUOTAS[name];
  return Number.isInteger(limit) && limit >= min && limit <= max;
}

/** What may be set, for the error of something else. */
export function expectedOf(name: QuotaName): string {
  const { min, max } = QUOTAS[name];
  return `expected a whole number from ${min} to ${max}, or unlimited`;
}

/** The unit of a quota's numbers; undefined where they count things. */
export function byteUnit(name: QuotaName): Quota['bytes'] {
  const { bytes }: Quota = QUOTAS[name];
  return bytes;
}

/** The limits of an account. */
export function limitsWith(own: OwnQuotas, defaults: QuotaLimits): QuotaLimits {
  return { ...defaults, ...own };
}

/** Says to the person who needs one more that a quota is used up, and what to do. */
export function reachedText(name: QuotaName, limit: number): string {
  const { unit, advice } = QUOTAS[name];
  return `This account may have ${limit} ${unit}. ${advice}, or ask the operator of this hub for a higher limit.`;
}
