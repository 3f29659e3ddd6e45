import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import { Role } from '@warren/proto/common/v1/common';
import { AccountUsageSchema, UsageKind, type AccountUsage } from '@warren/proto/events/v1/events';
import { UsageStep } from '@warren/proto/tenancy/v1/usage';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { UsageKeeper } from '../src/usage/usage.keeper.ts';
import { UsageService } from '../src/usage/usage.service.ts';
import { UsageStore } from '../src/usage/usage.store.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const { TERMINAL, WEB } = UsageKind;
const at = (text: string) => timestampFromDate(new Date(text));
const OPERATOR = uuidv7();
const superAdmin = user(OPERATOR, Role.SUPER_ADMIN, true);

describe('usage', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let usage: UsageService;
  let account: string;

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    await app.init();
    usage = app.get(UsageService);
  });
  afterAll(async () => {
    await app?.close();
    await nats?.stop();
    await database?.drop();
  });
  beforeEach(async () => {
    account = uuidv7();
    await app
      .get(DataSource)
      .query(`INSERT INTO accounts (id, name, operator, status, created) VALUES ($1, $2, false, 'Active', now())`, [
        account,
        `Account ${account}`,
      ]);
  });

  const used = (init: Partial<Omit<AccountUsage, '$typeName'>> = {}) =>
    create(AccountUsageSchema, {
      accountId: account,
      kind: TERMINAL,
      openMs: 1_000n,
      opened: 1n,
      bytesToDevice: 10n,
      bytesFromDevice: 100n,
      ...init,
    });
  const report = (hour: string, ...counts: AccountUsage[]): Event =>
    newEvent({ kind: { case: 'usageCounted', value: { replica: 'r', hour: at(hour), usage: counts } } });
  const add = async (hour: string, ...counts: AccountUsage[]) => {
    const event = report(hour, ...counts);
    await app.get(UsageStore).add(event, event.kind.value as never);
    return event;
  };
  const read = async (from: string, to: string, step: UsageStep, caller = superAdmin) => {
    const { spans = [] } = await usage.get(caller, { accountId: account, from: at(from), to: at(to), step });
    return spans.map(({ start, kinds }) => ({
      start: timestampDate(start as never).toISOString(),
      kinds: kinds?.map(({ $typeName: _, ...kind }) => kind),
    }));
  };
  const november = (step = UsageStep.DAY, caller = superAdmin) =>
    read('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', step, caller);

  it('is added once, however often its report is published and delivered', async () => {
    const event = report('2026-11-03T10:00:00Z', used(), used({ kind: WEB, openMs: 5n }));
    const bus = app.get(EventBus);
    await bus.publish(event);
    await until(async () => (await november()).length > 0);
    await app.get(UsageStore).add(event, event.kind.value as never);
    await bus.publish(report('2026-11-03T11:00:00Z', used()));
    await until(async () => (await november(UsageStep.HOUR)).length === 2);
    expect(await november()).toEqual([
      {
        start: '2026-11-03T00:00:00.000Z',
        kinds: [
          { kind: TERMINAL, openMs: 2_000n, opened: 2n, bytesToDevice: 20n, bytesFromDevice: 200n },
          { kind: WEB, openMs: 5n, opened: 1n, bytesToDevice: 10n, bytesFromDevice: 100n },
        ],
      },
    ]);
  });

  it('is summed by hours, days and months of UTC, from the first day on and before the last', async () => {
    for (const hour of ['2026-10-31T23:00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T23:00:00Z', '2026-12-01T00:00:00Z'])
      await add(hour, used());
    const starts = async (step: UsageStep) => (await november(step)).map(({ start }) => start);
    expect(await starts(UsageStep.HOUR)).toEqual(['2026-11-01T00:00:00.000Z', '2026-11-01T23:00:00.000Z']);
    expect(await starts(UsageStep.DAY)).toEqual(['2026-11-01T00:00:00.000Z']);
    const months = await read('2026-10-01T00:00:00Z', '2027-01-01T00:00:00Z', UsageStep.MONTH);
    expect(months.map(({ start, kinds }) => [start.slice(0, 7), kinds?.[0]?.openMs])).toEqual([
      ['2026-10', 1_000n],
      ['2026-11', 2_000n],
      ['2026-12', 1_000n],
    ]);
  });

  it('takes no range that is empty or too long, and says what was expected', async () => {
    await expect(read('2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z', UsageStep.DAY)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('expected a day after `from`'),
    });
    await expect(read('2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', UsageStep.HOUR)).rejects.toMatchObject({
      message: expect.stringContaining('at most 31 days'),
    });
    await expect(usage.list(superAdmin, { month: '2026-13', after: '', limit: 0 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('is not another account’s', async () => {
    await add('2026-11-03T10:00:00Z', used());
    const [own, other] = [account, uuidv7()];
    for (const role of [Role.OWNER, Role.ADMIN]) {
      expect(await november(UsageStep.DAY, user(own, role))).toHaveLength(1);
      await expect(november(UsageStep.DAY, user(other, role))).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(november(UsageStep.DAY, user(own, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await november(UsageStep.DAY, user(OPERATOR, Role.ADMIN, true))).toHaveLength(1);
    await expect(november(UsageStep.DAY, user(OPERATOR, Role.MEMBER, true))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    for (const caller of [user(own, Role.OWNER), user(OPERATOR, Role.OWNER, true)])
      await expect(usage.list(caller, { month: '2026-11', after: '', limit: 0 })).rejects.toMatchObject({
        code: 'permission_denied',
      });
  });

  it('of every account comes in parts, without the name of one that was deleted', async () => {
    const first = account;
    await add('2031-05-31T23:00:00Z', used(), used({ accountId: uuidv7() }));
    await add('2031-06-01T00:00:00Z', used());
    const parts: { accountId?: string; name?: string }[] = [];
    for (let after = '', more = true; more;) {
      const answer = await usage.list(superAdmin, { month: '2031-05', after, limit: 1 });
      parts.push(...(answer.accounts ?? []));
      after = answer.next ?? '';
      more = after !== '';
    }
    expect(parts).toMatchObject([
      { accountId: first, name: `Account ${first}`, kinds: [{ openMs: 1_000n }] },
      { name: '' },
    ]);
    const gone = {
      accountId: parts[1]?.accountId ?? '',
      from: at('2031-05-01T00:00:00Z'),
      to: at('2031-06-01T00:00:00Z'),
    };
    expect((await usage.get(superAdmin, { ...gone, step: UsageStep.DAY })).spans).toHaveLength(1);
    await expect(usage.get(superAdmin, { ...gone, accountId: uuidv7(), step: UsageStep.DAY })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is kept for 25 months, and the ids of reports for longer than the bus keeps them', async () => {
    const source = app.get(DataSource);
    await add('2020-01-01T00:00:00Z', used());
    const recent = await add(new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString(), used());
    const old = await add('2020-01-02T00:00:00Z', used());
    await source.query(`UPDATE usage_reports SET received = now() - interval '9 days' WHERE id = $1`, [old.id]);
    await app.get(UsageKeeper).sweep();
    const rows = await source.query<unknown[]>('SELECT FROM usage_hours WHERE account_id = $1', [account]);
    expect(rows).toHaveLength(1);
    const reports = await source.query<{ id: string }[]>('SELECT id FROM usage_reports WHERE id = ANY ($1)', [
      [recent.id, old.id],
    ]);
    expect(reports).toEqual([{ id: recent.id }]);
  });
});
