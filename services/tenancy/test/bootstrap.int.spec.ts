import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { TestDatabase } from '@warren/infra/test-database';
import { startNats } from '@warren/infra/nats';
import type { Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role, Status } from '@warren/proto/common/v1/common';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { BootstrapService } from '../src/bootstrap/bootstrap.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';
import { until } from '@warren/infra/until';

describe('the first start', () => {
  let database: TestDatabase;
  let dir: string;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let replicas: INestApplicationContext[];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'warren-tenancy-'));
    [database, nats] = await Promise.all([tenancyDatabase(), startNats({ dir })]);
    replicas = await Promise.all([startTenancy(database.url, nats.url), startTenancy(database.url, nats.url)]);
  });

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await nats.stop();
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  it('makes one operator account with its groups and the SuperAdmin, though two replicas start at once', async () => {
    const source = replicas[0]!.get(DataSource);
    expect(await source.query('SELECT name, operator, status FROM accounts')).toEqual([
      { name: 'Operator', operator: true, status: 'Active' },
    ]);
    expect(await source.query('SELECT name, role, is_default FROM groups ORDER BY id')).toEqual([
      { name: 'SuperAdmins', role: 'SuperAdmin', is_default: true },
      { name: 'Account Owners', role: 'Owner', is_default: true },
      { name: 'Admins', role: 'Admin', is_default: true },
      { name: 'Developers', role: 'Member', is_default: true },
      { name: 'Members', role: 'Member', is_default: true },
    ]);
    const member = await replicas[1]!
      .get(MembersService)
      .resolve(serviceCaller('gateway'), { email: 'boss@operator.test', name: '' });
    expect(member).toMatchObject({
      operator: true,
      accountStatus: Status.ACTIVE,
      user: { role: Role.SUPER_ADMIN, status: Status.ACTIVE, accountName: 'Operator' },
    });
  });

  it('is not done again, whatever became of the operator', async () => {
    const source = replicas[0]!.get(DataSource);
    await source.query(`UPDATE accounts SET name = 'Renamed'`);
    const again = await Promise.all(replicas.map((replica) => replica.get(BootstrapService).ensure()));
    expect(again).toEqual([false, false]);
    expect(await source.query('SELECT name FROM accounts')).toEqual([{ name: 'Renamed' }]);
  });

  it('emits an event, and one for a change made while the message bus is away once it is back', async () => {
    const heard: Event[] = [];
    const [first, second] = replicas as [INestApplicationContext, INestApplicationContext];
    await nats.kill();
    const caller = serviceCaller('gateway');
    await first.get(MembersService).resolve(caller, { email: 'BOSS@operator.test', name: 'Bo\u0007ss' });
    const source = first.get(DataSource);
    expect(await source.query(`SELECT name FROM users`)).toEqual([{ name: 'Bo ss' }]);
    expect(await source.query('SELECT subject FROM outbox')).toEqual([{ subject: 'warren.events.user_changed' }]);
    second.get(EventBus).listen((event) => heard.push(event));
    await nats.start();
    await until(() => heard.length > 0, 20_000);
    expect(heard[0]?.kind).toMatchObject({ case: 'userChanged', value: { email: 'boss@operator.test', active: true } });
    await until(async () => (await source.query('SELECT FROM outbox')).length === 0);
  });
});
