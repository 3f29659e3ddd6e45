import type { Caller } from '@warren/platform/rpc/caller';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { AccountMonth, ListUsageResponse, UsageService } from '@warren/proto/tenancy/v1/usage';
import { csvOf } from '../http/csv.ts';
import { FLEET } from '../http/example.fleet.ts';
import { usageFieldsOf } from './usage.schemas.ts';
import type { Readable } from 'node:stream';

const SESSIONS = ['Terminal', 'Desktop', 'Web'].flatMap((kind) =>
  ['seconds', 'opened', 'bytes to device', 'bytes from device'].map((what) => `${kind} ${what}`),
);
const COLUMNS = ['Month', 'Account', 'Name', ...SESSIONS, 'Device seconds', 'Device connections'];

const { id, name } = FLEET.account;
export const USAGE_EXAMPLE = `${COLUMNS.join()}\r\n2026-11,${id},${name},5400.25,12,48210,9120331,0,0,0,0,0,0,0,0,2592000,3\r\n`;

/** Every account that used anything in a month, as CSV. The first part is there when this resolves, so a refusal is one before anything is written. */
export async function usageCsv(
  client: Pick<RpcClient<typeof UsageService>, 'listUsage'>,
  caller: Caller,
  month: string,
): Promise<Readable> {
  const part = (after: string) => client.listUsage(caller, { month, after, limit: 0 });
  const first = await part('');
  return csvOf(COLUMNS, records(month, first, part));
}

async function* records(
  month: string,
  first: ListUsageResponse,
  part: (after: string) => Promise<ListUsageResponse>,
): AsyncGenerator<string[]> {
  for (let answer = first; ; answer = await part(answer.next)) {
    for (const account of answer.accounts) yield recordOf(month, account);
    if (answer.next === '') return;
  }
}

function recordOf(month: string, { accountId, name, kinds }: AccountMonth): string[] {
  const { devices, ...sessions } = usageFieldsOf(kinds);
  const counts = [sessions.terminal, sessions.desktop, sessions.web].flatMap((of) => [
    ...[of.seconds, of.opened],
    ...[of.bytes_to_device, of.bytes_from_device],
  ]);
  return [month, accountId, name, ...[...counts, devices.seconds, devices.connections].map(String)];
}
