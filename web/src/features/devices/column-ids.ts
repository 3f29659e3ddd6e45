import { isLabelKey } from '@warren/rules/labels';
import { fleet } from '../../lib/messages/fleet.ts';
import { messages } from '../../lib/messages.ts';

/** The columns that people choose, in their order. */
export const OPTIONAL_COLUMNS = [
  'account',
  'labels',
  'address',
  'lastSeen',
  'os',
  'model',
  'agent',
  'cpu',
  'memory',
  'disk',
  'load',
  'temperature',
  'cpuDay',
  'memoryDay',
  'diskDay',
  'created',
  'web',
] as const;
type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];
/** One of them, or a label by its key. */
export type DeviceColumn = OptionalColumn | `label:${string}`;

const LABEL = 'label:';
export const isLabel = (id: string): id is `label:${string}` => id.startsWith(LABEL);

/** The key of the label that a column shows. */
export const keyOf = (id: `label:${string}`): string => id.slice(LABEL.length);

/** The columns of a list of ids, those of labels last and by their keys. */
export function knownColumns(ids: readonly string[]): DeviceColumn[] {
  const labels = ids.filter(isLabel).filter((id) => isLabelKey(keyOf(id)));
  return [...OPTIONAL_COLUMNS.filter((id) => ids.includes(id)), ...[...new Set(labels)].sort()];
}

/** Shown until people choose. */
export const USUAL_COLUMNS: readonly DeviceColumn[] = ['account', 'address', 'web'];

/** Chosen columns that fit beside the name on most windows. */
export const ROOM_FOR = 4;

/** What the list can be sorted by; the first is usual. */
export const DEVICE_SORTS = [
  'status',
  'name',
  'account',
  'address',
  'last_seen',
  'os',
  'model',
  'agent_version',
  'cpu',
  'memory',
  'disk',
  'load',
  'temperature',
  'created',
] as const;
export type DeviceSort = (typeof DEVICE_SORTS)[number] | `label:${string}`;

/** Whether the list sorts by the values of a label. */
export const isLabelSort = (sort: string): boolean => isLabel(sort) && isLabelKey(keyOf(sort));

/** The name of a column that people choose. */
export function columnLabel(id: DeviceColumn): string {
  const { columns } = fleet;
  const text = messages.devices;
  if (isLabel(id)) return keyOf(id);
  const own = { account: text.account, address: text.address, web: text.web };
  return id in own ? own[id as keyof typeof own] : columns[id as Exclude<OptionalColumn, keyof typeof own>];
}
