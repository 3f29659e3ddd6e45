import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ActivityKind, DeviceFeature, WebPermission } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DeviceManagementService } from '../src/devices/device-management.service.ts';
import { DevicesService } from '../src/devices/devices.service.ts';
import { WebServiceLookup } from '../src/devices/web-service.lookup.ts';
import { FactsService } from '../src/facts/facts.service.ts';
import { ActivityService } from '../src/activity/activity.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, facts, startAccounts, startDevices } from './devices.process.ts';
import { until } from '@warren/infra/until';
import { credentialOf } from './credential.ts';

const tunnels = serviceCaller('tunnels');
const notFound = { code: 'not_found' };

describe('what is done to a device', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  let management: DeviceManagementService;
  const acme = uuidv7();
  const other = uuidv7();
  const closed = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
  const events: Event[] = [];
  let id: string;
  let serial: string;

  beforeAll(async () => {
    [database, nats] = await Promise.all([devicesDatabase(), startNats()]);
    const names = new Map([
      [acme, 'Acme'],
      [other, 'Other'],
      [closed, 'Closed'],
    ]);
    tenancy = await startAccounts(nats.url, names);
    app = await startDevices({ database: database.url, nats: nats.url, redis: process.env['TEST_REDIS_URL'] ?? '' });
    management = app.get(DeviceManagementService);
    app.get(EventBus).listen((event) => events.push(event));
  });

  afterAll(async () => {
    await app.close();
    await tenancy.close();
    await nats.stop();
    await database.drop();
  });

  beforeEach(async () => {
    serial = `serial-${uuidv7()}`;
    id = await enrolDevice(app, acme, { serial });
    await until(() => eventsOf(id).length === 1);
    events.length = 0;
  });

  const eventsOf = (device: string) =>
    events.filter(({ kind }) => kind.value && 'deviceId' in kind.value && kind.value.deviceId === device);
  const set = (feature: DeviceFeature, enabled: boolean, caller = superAdmin) =>
    management.setService(caller, { id, serial, feature, enabled });
  const http = (init: Partial<Parameters<DeviceManagementService['enableHttp']>[1]> = {}) =>
    management.enableHttp(superAdmin, { id, serial, port: 8080, ip: '', ...init });
  /** Every action, by one caller, on the device of this test unless another is named. */
  const actions = (caller: Caller, device = { id, serial }): Record<string, () => Promise<unknown>> => ({
    setService: () => management.setService(caller, { ...device, feature: DeviceFeature.SSH, enabled: false }),
    enableHttp: () => management.enableHttp(caller, { ...device, port: 80, ip: '' }),
    setVnc: () => management.setVnc(caller, { ...device, port: 5901, ip: '' }),
    rename: () => management.rename(caller, { id: device.id, customName: 'New' }),
    move: () => management.move(caller, { id: device.id, accountId: other }),
    delete: () => management.delete(caller, { id: device.id }),
  });

  it('is for the SuperAdmin only, and invisible to another account', async () => {
    const roles = [Role.OWNER, Role.ADMIN, Role.MEMBER];
    const refused: [code: string, people: Caller[]][] = [
      ['permission_denied', roles.flatMap((role) => [user(acme, role), user(uuidv7(), role, true)])],
      ['permission_denied', [user(acme, Role.SUPER_ADMIN), tunnels]],
      ['not_found', roles.map((role) => user(other, role))],
    ];
    for (const [code, people] of refused)
      for (const caller of people)
        for (const [name, action] of Object.entries(actions(caller)))
          expect([name, await action().catch((error: unknown) => error)]).toEqual([
            name,
            expect.objectContaining({ code }),
          ]);
    expect(eventsOf(id)).toEqual([]);
    expect(await app.get(DevicesService).get(superAdmin, { id })).toMatchObject({ device: { sshEnabled: true } });
  });

  it.each(['', 'x', uuidv7()])('is not found for a device that is not there (%j)', async (unknown) => {
    for (const caller of [superAdmin, user(acme, Role.MEMBER)])
      for (const action of Object.values(actions(caller, { id: unknown, serial })))
        await expect(action()).rejects.toMatchObject(notFound);
  });

  it.each(['', 'another', 'a\0b'])('is not found with a wrong serial (%j)', async (wrong) => {
    const { setService, enableHttp, setVnc } = actions(superAdmin, { id, serial: wrong });
    await expect(setService?.()).rejects.toMatchObject(notFound);
    await expect(enableHttp?.()).rejects.toMatchObject(notFound);
    await expect(setVnc?.()).rejects.toMatchObject(notFound);
    expect(eventsOf(id)).toEqual([]);
  });

  it('turns console and web service on and off, and reports the actor, once', async () => {
    expect(await set(DeviceFeature.SSH, false)).toMatchObject({ device: { sshEnabled: false, httpEnabled: false } });
    expect(await credentialOf(app.get(DevicesService), tunnels, id)).toMatchObject({ sshEnabled: false });
    await set(DeviceFeature.SSH, false);
    expect(await set(DeviceFeature.HTTP, true)).toMatchObject({ device: { httpEnabled: true, httpPort: 1880 } });
    expect(await set(DeviceFeature.SSH, true)).toMatchObject({ device: { sshEnabled: true } });
    await until(() => eventsOf(id).length >= 3);
    expect(eventsOf(id)).toHaveLength(3);
    for (const event of eventsOf(id))
      expect(event).toMatchObject({
        accountId: acme,
        actor: (superAdmin.kind.value as { userId: string }).userId,
        kind: { case: 'deviceChanged', value: { previousAccountId: '' } },
      });
    await expect(set(DeviceFeature.UNSPECIFIED, true)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('says where the web service is: loopback, or the private address that the device has', async () => {
    expect(await http()).toMatchObject({ device: { httpEnabled: true, httpPort: 8080, httpIp: '127.0.0.1' } });
    expect(await http({ ip: '192.168.1.10', port: 1 })).toMatchObject({
      device: { httpPort: 1, httpIp: '192.168.1.10' },
    });
    expect(await http({ ip: '::1' })).toMatchObject({ device: { httpIp: '::1' } });
  });

  it('permits a web service nothing until it is switched on, and leaves a trace of that', async () => {
    const slug = (await http()).device.httpAddress?.split('.')[0] ?? '';
    const permitted = async () => (await app.get(WebServiceLookup).find(tunnels, { slug })).permissions;
    expect(await permitted()).toEqual([]);
    const wanted = [WebPermission.CAMERA, WebPermission.CLIPBOARD_READ, WebPermission.CAMERA, 99 as WebPermission];
    const changed = await http({ permissions: { permissions: wanted } });
    expect(changed.device.httpPermissions).toEqual([WebPermission.CLIPBOARD_READ, WebPermission.CAMERA]);
    expect(await permitted()).toEqual(changed.device.httpPermissions);
    expect(await http({ port: 81 })).toMatchObject({ device: { httpPermissions: changed.device.httpPermissions } });
    expect(await http({ port: 81, permissions: { permissions: [] } })).toMatchObject({
      device: { httpPermissions: [] },
    });
    const { activity = [] } = await app.get(ActivityService).list(superAdmin, { accountId: acme, limit: 10 });
    expect(activity.filter(({ kind }) => kind === ActivityKind.WEB_PERMISSIONS)).toMatchObject([
      { deviceId: id, detail: '' },
      { deviceId: id, detail: 'clipboard-read, camera' },
    ]);
  });

  it('sets the address of the desktop, which tunnels receives', async () => {
    const vnc = (port: number, ip: string) => management.setVnc(superAdmin, { id, serial, port, ip });
    expect(await app.get(DevicesService).get(superAdmin, { id })).toMatchObject({
      device: { vncIp: '127.0.0.1', vncPort: 5900 },
    });
    expect(await vnc(5901, '192.168.1.10')).toMatchObject({ device: { vncIp: '192.168.1.10', vncPort: 5901 } });
    expect(await credentialOf(app.get(DevicesService), tunnels, id)).toMatchObject({
      vncIp: '192.168.1.10',
      vncPort: 5901,
    });
    for (const [port, ip] of [
      [5900, '8.8.8.8'],
      [5900, '192.168.1.11'],
      [0, ''],
      [65_536, ''],
    ] as const)
      await expect(vnc(port, ip)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it.each(['192.168.1.11', '169.254.169.254', '8.8.8.8', '0.0.0.0', 'localhost', "127.0.0.1'; --"])(
    'refuses %s as the address of a web service, by name',
    async (ip) => {
      await expect(http({ ip })).rejects.toMatchObject({
        code: 'invalid_argument',
        problems: [expect.objectContaining({ field: 'ipaddr' })],
      });
      expect(eventsOf(id)).toEqual([]);
    },
  );

  it('refuses the public address of a device that is in no private network', async () => {
    const report = { deviceId: id, facts: facts({ privateIp: '8.8.8.8' }), publicIp: '', serial: '' };
    await app.get(FactsService).report(tunnels, { reports: [report] });
    await expect(http({ ip: '8.8.8.8' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it.each([0, 65_536, 4_000_000_000])('refuses port %d', async (port) => {
    await expect(http({ port })).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field: 'port', message: 'Please enter a valid HTTP port' }],
    });
  });

  it('gives it a name that lists and searches go by', async () => {
    expect(await management.rename(superAdmin, { id, customName: ' Lobby <b> ' })).toMatchObject({
      device: { name: 'pi-1', customName: 'Lobby <b>' },
    });
    expect(await credentialOf(app.get(DevicesService), tunnels, id)).toMatchObject({ name: 'Lobby <b>' });
    for (const customName of ['', '  ', 'a\u202eb', 'x'.repeat(65)])
      await expect(management.rename(superAdmin, { id, customName })).rejects.toMatchObject({
        code: 'invalid_argument',
        problems: [expect.objectContaining({ field: 'custom_name' })],
      });
  });

  it('moves it out of the sight of one account into that of another', async () => {
    const devices = app.get(DevicesService);
    const moved = await management.move(superAdmin, { id, accountId: other });
    expect(moved).toMatchObject({ device: { accountId: other, accountName: 'Other' } });
    await expect(devices.get(user(acme, Role.OWNER), { id })).rejects.toMatchObject(notFound);
    expect(await devices.get(user(other, Role.MEMBER), { id })).toMatchObject({ device: { id } });
    expect(await credentialOf(devices, tunnels, id)).toMatchObject({ accountId: other });
    await until(() => eventsOf(id).length === 1);
    expect(eventsOf(id)[0]).toMatchObject({
      accountId: other,
      kind: { case: 'deviceChanged', value: { previousAccountId: acme } },
    });
    await management.move(superAdmin, { id, accountId: other });
    await management.rename(superAdmin, { id, customName: 'Last' });
    await until(() => eventsOf(id).length > 1);
    expect(eventsOf(id)).toHaveLength(2);
  });

  it('moves it into no account that is unknown, deleted or disabled', async () => {
    for (const accountId of ['', 'x', uuidv7()])
      await expect(management.move(superAdmin, { id, accountId })).rejects.toMatchObject(notFound);
    const source = app.get(DataSource);
    await source.query(
      `INSERT INTO accounts (id, name, active, operator, as_of) VALUES ($1, 'Closed', false, false, now())`,
      [closed],
    );
    await expect(management.move(superAdmin, { id, accountId: closed })).rejects.toMatchObject({
      code: 'failed_precondition',
      subject: 'Account disabled',
      message: 'Closed takes no new devices.',
    });
    await source.query('UPDATE accounts SET deleted = true WHERE id = $1', [closed]);
    await expect(management.move(superAdmin, { id, accountId: closed })).rejects.toMatchObject(notFound);
    expect(await app.get(DevicesService).get(superAdmin, { id })).toMatchObject({ device: { accountId: acme } });
  });

  it('deletes it with its key, once, however many ask', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => management.delete(superAdmin, { id })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(notFound);
    await expect(credentialOf(app.get(DevicesService), tunnels, id)).rejects.toMatchObject(notFound);
    const [left] = await app.get(DataSource).query(
      `SELECT (SELECT count(*)::int FROM device_keys WHERE device_id = $1) AS keys,
              (SELECT count(*)::int FROM device_facts WHERE device_id = $1) AS facts`,
      [id],
    );
    expect(left).toEqual({ keys: 0, facts: 0 });
    await until(() => eventsOf(id).length === 1);
    expect(eventsOf(id)[0]).toMatchObject({ accountId: acme, kind: { case: 'deviceDeleted' } });
  });

  it('ends in the last of several changes at once, with an event for each', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
    await Promise.all(names.map((customName) => management.rename(superAdmin, { id, customName })));
    await until(() => eventsOf(id).length === 8);
    const { device } = await app.get(DevicesService).get(superAdmin, { id });
    expect(names).toContain(device.customName);
  });
});
