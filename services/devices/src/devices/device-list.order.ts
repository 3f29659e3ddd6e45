import { DeviceSort } from '@warren/proto/devices/v1/devices';

/** One of the values that devices are sorted by. */
export interface Key {
  /** Over `devices d`, as in the index of the order. */
  device?: string;
  /** Over `narrow_devices n`. */
  narrow?: string;
  /** Larger first when the list is ascending: connected devices stand before the others. */
  falling?: boolean;
  /** It may be unknown. */
  nullable?: boolean;
}

const ID: Key = { device: 'd.id', narrow: 'n.id' };
/** Settles the order of devices that are alike in what was asked for. */
const LAST: Key[] = [{ device: 'd.sort_name', narrow: 'n.sort_name' }, ID];
const CONNECTED: Key = { device: 'd.connected', narrow: 'n.connected', falling: true };
const STATUS: Key[] = [CONNECTED, ...LAST];
const byText = (column: string): Key[] => [{ device: `lower(${column} COLLATE "C")` }, ...LAST];
const byNatural = (column: string): Key[] => [{ device: `natural_key(${column}) COLLATE "C"` }, ...LAST];
const byUsage = (narrow: string): Key[] => [{ narrow, nullable: true }, ...LAST];

/**
 * All but those of usage are the orders of indexes, the first three with and without the account in front, so a page is found in an
 * index alone. Usage changes with every report, and an index of it would make each dearer.
 */
const KEYS: Record<Exclude<DeviceSort, DeviceSort.LABEL>, Key[]> = {
  [DeviceSort.UNSPECIFIED]: STATUS,
  [DeviceSort.STATUS]: STATUS,
  [DeviceSort.NAME]: LAST,
  [DeviceSort.ACCOUNT]: [{ device: 'd.sort_account' }, { device: 'd.account_id', narrow: 'n.account_id' }, ...LAST],
  [DeviceSort.MODEL]: byText('d.model'),
  [DeviceSort.OS]: byText('d.os'),
  [DeviceSort.AGENT_VERSION]: byNatural('d.agent_version'),
  [DeviceSort.LAST_SEEN]: [CONNECTED, { device: 'd.status_since', narrow: 'n.status_since', falling: true }, ...LAST],
  [DeviceSort.CREATED]: [{ device: 'd.created', narrow: 'n.created' }, ...LAST],
  [DeviceSort.ADDRESS]: byNatural('d.private_ip'),
  [DeviceSort.CPU]: byUsage('n.cpu'),
  [DeviceSort.MEMORY]: byUsage('n.memory'),
  [DeviceSort.DISK]: byUsage('n.disk'),
  [DeviceSort.LOAD]: byUsage('n.load'),
  [DeviceSort.TEMPERATURE]: byUsage('n.temperature'),
};

/** What a list is sorted by; by status for a sort that is not known. */
export function keysOf(sort: Exclude<DeviceSort, DeviceSort.LABEL>, accountId: string | undefined): readonly Key[] {
  return accountId !== undefined && sort === DeviceSort.ACCOUNT ? LAST : (KEYS[sort] ?? STATUS);
}

/** Whether an index of `devices` has this order. */
export const isIndexed = (keys: readonly Key[]): boolean => keys.every(({ device }) => device !== undefined);

/** ORDER BY of these expressions, one for each key. Unknown values come last where the largest come first. */
export function orderOf(keys: readonly Key[], expressions: readonly string[], descending: boolean): string {
  return keys
    .map(({ falling = false, nullable = false }, index) => {
      const direction = falling === descending ? 'ASC' : 'DESC';
      const nulls = nullable ? ` NULLS ${direction === 'ASC' ? 'FIRST' : 'LAST'}` : '';
      return `${expressions[index] ?? ''} ${direction}${nulls}`;
    })
    .join(', ');
}
