/**
 * The data set that the bounds of the lists are measured with. Its ids and names follow from numbers alone, so that the
 * database of each service gets its own part of it, and twice, without a look at another.
 */
export const SCALE = { accounts: 1_000, users: 50_000, devices: 100_000 } as const;

/** Tells apart what has an id in the data set. */
export type ScaleKind = 'account' | 'group' | 'user' | 'device';
const KINDS: Record<ScaleKind, string> = { account: '8001', group: '8002', user: '8003', device: '8004' };

/** SQL for the id of number `n`, which is SQL itself: a UUID of version 7 (RFC 9562). */
export function scaleId(kind: ScaleKind, n: string): string {
  return `('01990000-0000-7000-${KINDS[kind]}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/** SQL for the name of account `n`: each its own. */
export function scaleAccountName(n: string): string {
  return `${pick(PLACES, n)} || ' ' || ${pick(TRADES, `${n} / ${PLACES.length}`)} || ' ' || ${n}`;
}

/** SQL for the account of the user or device `n`: a tenth belongs to the first, which is large; the others share evenly. */
export function scaleAccountOf(n: string): string {
  return `CASE WHEN ${n} % 10 = 0 THEN 1 ELSE 1 + (${n} * 7919) % ${SCALE.accounts} END`;
}

/** SQL for one of some texts, in turn. */
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
