import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import type { Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { TestAccount, type Tester } from '../src/installation-test/test-account.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

describe('the account of the test of an installation', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let source: DataSource;
  let test: TestAccount;
  const heard: Event[] = [];

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    source = app.get(DataSource);
    app.get(EventBus).listen((event) => heard.push(event));
    test = new TestAccount(app.get(Outbox), app.get(Founder));
  });

  afterAll(async () => {
    await app.close();
    await nats.stop();
    await database.drop();
  });

  const accounts = () =>
    source.query<{ id: string; email: string; role: string }[]>(
      `SELECT a.id, u.email, g.role FROM accounts a JOIN users u ON u.account_id = a.id JOIN groups g ON g.id = u.group_id
       WHERE NOT a.operator`,
    );
  const owned = ({ account, email }: Tester) => ({ id: account, email, role: 'Owner' });
  const deleted = () => heard.flatMap(({ kind }) => (kind.case === 'accountDeleted' ? [kind.value.accountId] : []));

  it('has one owner, takes the place of one that was left behind, and goes without a trace', async () => {
    const first = await test.make();
    expect(await accounts()).toEqual([owned(first)]);
    const second = await test.make();
    expect(await accounts()).toEqual([owned(second)]);
    expect(second.email).not.toBe(first.email);
    await until(() => deleted().includes(first.account));
    await test.remove();
    await test.remove();
    expect(await accounts()).toEqual([]);
    await until(() => deleted().includes(second.account));
  });
});
