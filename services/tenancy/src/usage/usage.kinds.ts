import type { MessageInitShape } from '@bufbuild/protobuf';
import { UsageKind } from '@warren/proto/events/v1/events';
import type { KindUsageSchema } from '@warren/proto/tenancy/v1/usage';

/** Kinds as they are stored. */
const NAMES: Partial<Record<UsageKind, string>> = {
  [UsageKind.TERMINAL]: 'terminal',
  [UsageKind.DESKTOP]: 'desktop',
  [UsageKind.WEB]: 'web',
  [UsageKind.DEVICE]: 'device',
};
const KINDS = new Map(Object.entries(NAMES).map(([kind, name]) => [name, Number(kind) as UsageKind]));

/** Sums of one kind, as PostgreSQL gives bigints. */
export interface KindRow {
  kind: string;
  open_ms: string;
  opened: string;
  bytes_to_device: string;
  bytes_from_device: string;
}

/** @returns undefined for a kind of a newer version */
export function nameOfKind(kind: UsageKind): string | undefined {
  return NAMES[kind];
}

export function asKindUsage(row: KindRow): MessageInitShape<typeof KindUsageSchema> {
  return {
    kind: KINDS.get(row.kind) ?? UsageKind.UNSPECIFIED,
    openMs: BigInt(row.open_ms),
    opened: BigInt(row.opened),
    bytesToDevice: BigInt(row.bytes_to_device),
    bytesFromDevice: BigInt(row.bytes_from_device),
  };
}
