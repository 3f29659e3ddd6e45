/**
 * The data set for the bench of lists. Ids and names are functions of numbers, so that each service's database is filled independently
 * and idempotently.
 */
export const SCALE = { accounts: 1_000, users: 50_000, devices: 100_000 } as const;

/** Kinds of objects with an id in the data set. */
export type ScaleKind = 'account' | 'group' | 'user' | 'device' | 'recording';
const KINDS: Record<ScaleKind, string> = {
  account: '8001',
  group: '8002',
  user: '8003',
  device: '8004',
  recording: '8005',
};

/** Returns SQL for the id of number `n`, itself SQL: a UUID of version 7 (RFC 9562). */
export function scaleId(kind: ScaleKind, n: string): string {
  return `('01990000-0000-7000-${KINDS[kind]}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/** Returns SQL for the unique name of account `n`. */
export function scaleAccountName(n: string): string {
  return `${pick(PLACES, n)} || ' ' || ${pick(TRADES, `${n} / ${PLACES.length}`)} || ' ' || ${n}`;
}

/** Returns SQL for the account of user or device `n`: a tenth belongs to the first account; the others share evenly. */
export function scaleAccountOf(n: string): string {
  return `CASE WHEN ${n} % 10 = 0 THEN 1 ELSE 1 + (${n} * 7919) % ${SCALE.accounts} END`;
}

/** Returns SQL that chooses from texts in turn. */
export function pick(texts: readonly string[], n: string): string {
  return `(ARRAY[${texts.map((text) => `'${text}'`).join()}])[1 + (${n}) % ${texts.length}]`;
}

const PLACES = [
  'Meadow',
  'Harbour',
  'Alder',
  'Birch',
  'Cedar',
  'Dune',
  'Elm',
  'Fjord',
  'Glen',
  'Heath',
  'Isle',
  'Juniper',
  'Knoll',
];
const TRADES = [
  'Farms',
  'Lab',
  'Works',
  'Logistics',
  'Energy',
  'Dairy',
  'Museum',
  'Clinic',
  'Rail',
  'Bakery',
  'School',
];
