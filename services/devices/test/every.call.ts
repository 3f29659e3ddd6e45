import {
  create,
  fromBinary,
  toBinary,
  ScalarType,
  toJsonString,
  type DescField,
  type DescMethodUnary,
} from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { dispatch } from '@warren/platform/rpc/dispatch';
import { BulkService } from '@warren/proto/devices/v1/bulk';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { SavedFiltersService } from '@warren/proto/devices/v1/filters';
import { MatchingService } from '@warren/proto/devices/v1/matching';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
import { BulkRpc } from '../src/bulk/bulk.rpc.ts';
import { SavedFiltersRpc } from '../src/filters/saved.filters.rpc.ts';
import { MatchingRpc } from '../src/matching/matching.rpc.ts';
import { RolloutsRpc } from '../src/rollouts/rollouts.rpc.ts';
import { DevicesRpc } from '../src/rpc/devices.rpc.ts';

/** What requests are about. */
export interface Subject {
  id: string;
  serial: string;
  slug: string;
  accountId: string;
}

const SERVED = [
  [DevicesService, DevicesRpc],
  [BulkService, BulkRpc],
  [RolloutsService, RolloutsRpc],
  [SavedFiltersService, SavedFiltersRpc],
  [MatchingService, MatchingRpc],
] as const;

/** Calls every method of the process about a device. @returns the answer of each as JSON, or the code of its refusal */
export async function callEvery(
  app: INestApplicationContext,
  caller: Caller,
  of: Subject,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const [service, handlers] of SERVED)
    for (const method of service.methods)
      answers.set(method.name, await answerOf(method as DescMethodUnary, app.get<object>(handlers), { caller, of }));
  return answers;
}

async function answerOf(method: DescMethodUnary, handlers: object, { caller, of }: { caller: Caller; of: Subject }) {
  const fields = method.input.fields.map((field) => [field.localName, valueOf(field, of)]);
  const request = toBinary(method.input, create(method.input, Object.fromEntries(fields)));
  try {
    return toJsonString(method.output, fromBinary(method.output, await dispatch(method, handlers, caller, request)));
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

/** A value that a field takes: one that names the device where it can, else any that is in order. */
function valueOf(field: DescField, of: Subject): unknown {
  const { localName: name } = field;
  if (field.fieldKind === 'enum') return 1;
  if (field.fieldKind === 'map') return { ring: 'stable' };
  if (field.fieldKind === 'list') return ['ids', 'deviceIds'].includes(name) ? [of.id] : undefined;
  if (field.fieldKind === 'message') return name === 'filter' ? { name: 'Mine', filter: `id=${of.id}` } : undefined;
  if (field.scalar === ScalarType.UINT32) return 1;
  if (field.scalar !== ScalarType.STRING) return undefined;
  const texts: Record<string, string> = { ...of, targetAccountId: of.accountId, filter: `id=${of.id}`, ip: '' };
  return texts[name] ?? (name.endsWith('Id') ? of.id : 'text');
}
