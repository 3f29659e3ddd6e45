import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { accountsNearQuota } from '@warren/platform/quotas/metrics';
import type { QuotaCensus } from '@warren/platform/quotas/quota.census';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { AccountUsageSchema, UsageKind } from '@warren/proto/events/v1/events';
import { v7 as uuidv7 } from 'uuid';
import { MembersService } from '../src/members/members.service.ts';
import { censusOf } from '../src/quotas/quotas.module.ts';
import { QuotasService } from '../src/quotas/quotas.service.ts';
import { UsageStore } from '../src/usage/usage.store.ts';
import { InvitationWorld } from './invitation.world.ts';

describe('the quota of traffic', () => {
  const world = new InvitationWorld();

  beforeAll(() => world.start());
  afterAll(() => world.stop());

  /** Of the account. */
  const set = (limit: number | null) =>
    world.source.query('UPDATE accounts SET quotas = $2 WHERE id = $1', [
      world.acme,
      limit === null ? {} : { traffic: limit },
    ]);
  const shown = async () =>
    (await world.app.get(QuotasService).get(world.owner, { accountId: world.acme })).quotas.find(
      ({ name }) => name === 'traffic',
    );

  const GB = 1_000_000_000n;
  const now = () => new Date();
  const lastMonth = () => new Date(Date.UTC(now().getUTCFullYear(), now().getUTCMonth(), 0, 23));

  beforeEach(async () => {
    await set(null);
    await world.source.query('DELETE FROM usage_months');
  });

  /** A report of what went to the devices of an account and came from them. */
  const report = (hour: Date, accountId: string, kind: UsageKind, bytes: bigint) => {
    const usage = create(AccountUsageSchema, { accountId, kind, bytesToDevice: 1n, bytesFromDevice: bytes - 1n });
    return { id: uuidv7(), data: { replica: 'r', hour: timestampFromDate(hour), usage: [usage] } as never };
  };
  const use = async (
    bytes: bigint,
    { hour = now(), account = world.acme, kind = UsageKind.DESKTOP, times = 1 } = {},
  ) => {
    const { id, data } = report(hour, account, kind, bytes);
    for (let count = 0; count < times; count++) await world.app.get(UsageStore).add({ id }, data);
  };
  const left = async () => {
    const { quotas: effective } = await world.app
      .get(MembersService)
      .resolve(serviceCaller('gateway'), { email: 'owner@acme.test', name: '', bind: false });
    return effective?.quotas?.find(({ name }) => name === 'traffic');
  };

  it('is unlimited by default', async () => {
    await use(900n * GB);
    expect(await left()).toEqual({ name: 'traffic' });
    expect(await shown()).toEqual({ name: 'traffic', own: false, used: 900n * GB });
  });

  it('is used up by all kinds together, both ways, each report once', async () => {
    await set(3);
    await use(GB, { times: 2 });
    await use(GB, { kind: UsageKind.WEB });
    await use(GB - 1n, { kind: UsageKind.TERMINAL });
    expect(await left()).toEqual({ name: 'traffic', limit: 3n });
    await use(1n);
    expect(await left()).toEqual({ name: 'traffic', limit: 3n, usedUp: true });
    expect(await shown()).toMatchObject({ limit: 3n, used: 3n * GB });
  });

  it("does not count another month's, nor another account's", async () => {
    await set(1);
    await use(5n * GB, { hour: lastMonth() });
    await use(5n * GB, { account: world.zebra });
    expect(await left()).toEqual({ name: 'traffic', limit: 1n });
  });

  it('refuses at once when it is 0, and a higher one lets in again', async () => {
    await set(0);
    expect(await left()).toMatchObject({ usedUp: true });
    await set(1);
    expect(await left()).toEqual({ name: 'traffic', limit: 1n });
  });

  it('is counted in a metric', async () => {
    await set(10);
    await use(9n * GB);
    await world.app.get<QuotaCensus>(censusOf('traffic')).count();
    const { values } = await accountsNearQuota.get();
    const near = values.filter(({ labels }) => labels.quota === 'traffic');
    expect(near.map(({ labels, value }) => [labels.share, value])).toEqual([
      ['0.8', 1],
      ['1', 0],
    ]);
  });
});
