import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { newEvent, type Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, facts, startAccounts, startDevices } from './devices.process.ts';
import { until } from '@warren/infra/until';
import { credentialOf } from './credential.ts';

describe('the end of an account that devices was not there for', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  let heard: Event[];
  const acme = uuidv7();
  const zebra = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);

  const start = () =>
    startDevices({ database: database.url, nats: nats.url, redis: process.env['TEST_REDIS_URL'] ?? '' });
  const list = (accountId: string) =>
    app.get(DevicesService).list(superAdmin, { accountId, sort: DeviceSort.UNSPECIFIED });

  beforeEach(async () => {
    heard = [];
    [database, nats] = await Promise.all([devicesDatabase(), startNats()]);
    const names = new Map([
      [acme, 'Acme'],
      [zebra, 'Zebra'],
    ]);
    tenancy = await startAccounts(nats.url, names);
    tenancy.get(EventBus).listen((event) => heard.push(event));
    app = await start();
  });

  afterEach(async () => {
    await app.close();
    await tenancy.close();
    await nats.stop();
    await database.drop();
  });

  /** Stops devices, lets tenancy publish an event, and starts devices again. */
  async function missed(event: Event): Promise<void> {
    await app.close();
    await tenancy.get(EventBus).publish(event);
    app = await start();
  }

  it('deletes its devices, tokens and keys once devices is back, no others, with an event per device', async () => {
    const ids = [];
    for (const hostname of ['one', 'two', 'three'])
      ids.push(await enrolDevice(app, acme, { serial: hostname, facts: facts({ hostname }) }));
    const other = await enrolDevice(app, zebra);
    const { token } = await app
      .get(TokensService)
      .issue(serviceCaller('devices'), { accountId: acme, uses: 5, createdBy: null });
    await missed(newEvent({ accountId: acme, kind: { case: 'accountDeleted', value: { accountId: acme } } }));
    await until(async () => (await list(acme)).total === 0);
    const told = () => heard.flatMap(({ kind }) => (kind.case === 'deviceDeleted' ? [kind.value.deviceId] : [])).sort();
    await until(() => told().length === ids.length);
    expect(told()).toEqual([...ids].sort());
    const source = app.get(DataSource);
    expect(await source.query('SELECT device_id FROM device_keys')).toEqual([{ device_id: other }]);
    const credential = credentialOf(app.get(DevicesService), serviceCaller('tunnels'), ids[0] ?? '');
    await expect(credential).rejects.toMatchObject({ code: 'not_found' });
    const check = app.get(TokensService).check(serviceCaller('gateway'), { accountId: acme, token });
    await expect(check).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(enrolDevice(app, acme)).rejects.toMatchObject({ code: 'not_found' });
    expect(await list(zebra)).toMatchObject({ total: 1, devices: [{ id: other }] });
  });

  it('stays deleted after late and repeated events of the account', async () => {
    await enrolDevice(app, acme);
    const change = newEvent({
      accountId: acme,
      kind: { case: 'accountChanged', value: { accountId: acme, name: 'Acme', active: true, operator: false } },
    });
    const end = newEvent({ accountId: acme, kind: { case: 'accountDeleted', value: { accountId: acme } } });
    await missed(end);
    await until(async () => (await list(acme)).total === 0);
    const again = { accountId: acme, kind: end.kind } as Parameters<typeof newEvent>[0];
    for (const event of [change, newEvent(again)]) await tenancy.get(EventBus).publish(event);
    const marker = newEvent({
      accountId: zebra,
      kind: { case: 'accountChanged', value: { accountId: zebra, name: 'Marker', active: true, operator: false } },
    });
    await tenancy.get(EventBus).publish(marker);
    const source = app.get(DataSource);
    await until(async () => (await source.query<unknown[]>(`SELECT FROM accounts WHERE name = 'Marker'`)).length === 1);
    await expect(enrolDevice(app, acme)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('turns the consoles of a disabled account off once it is back, and on again', async () => {
    const deviceId = await enrolDevice(app, acme);
    const consoleOn = async () =>
      (await credentialOf(app.get(DevicesService), serviceCaller('tunnels'), deviceId)).sshEnabled;
    const changed = (active: boolean) =>
      newEvent({
        accountId: acme,
        kind: { case: 'accountChanged', value: { accountId: acme, name: 'Acme', active, operator: false } },
      });
    expect(await consoleOn()).toBe(true);
    await missed(changed(false));
    await until(async () => !(await consoleOn()));
    await missed(changed(true));
    await until(async () => (await consoleOn()) === true);
  });

  it.each(['userChanged', 'userDeleted'] as const)(
    'voids the tokens that a person made, once it is back: %s',
    async (kind) => {
      const [gone, colleague] = [uuidv7(), uuidv7()];
      const issue = async (createdBy: string) =>
        (await app.get(TokensService).issue(serviceCaller('devices'), { accountId: acme, uses: 5, createdBy })).token;
      const [theirs, other] = [await issue(gone), await issue(colleague)];
      const check = (token: string) =>
        app
          .get(TokensService)
          .check(serviceCaller('gateway'), { accountId: acme, token })
          .then(
            () => 'good',
            (error: Error) => error.message,
          );
      const person = { userId: gone, email: 'gone@acme.example' };
      const value = { ...person, active: true };
      // Another name, say.
      await missed(newEvent({ accountId: acme, kind: { case: 'userChanged', value } }));
      const event =
        kind === 'userDeleted' ? { case: kind, value: person } : { case: kind, value: { ...value, active: false } };
      await missed(newEvent({ accountId: acme, kind: event }));
      await until(async () => (await check(theirs)) === 'revoked.');
      expect(await check(other)).toBe('good');
    },
  );
});
