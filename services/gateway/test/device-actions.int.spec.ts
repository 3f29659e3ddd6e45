import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { Role } from '@warren/proto/common/v1/common';
import { DeviceFeature, DevicesService } from '@warren/proto/devices/v1/devices';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCOUNT, DEVICE, device, OTHER_ACCOUNT, person, TestGateway, shownTo } from './gateway.ts';

const SERIAL = '10000000a1b2c3d4';
const superAdmin = person('supera', Role.SUPER_ADMIN, { operator: true });
const listed = person('listed', Role.MEMBER);
const member = person('member', Role.MEMBER);

describe('what is done to a device over REST', () => {
  let gateway: TestGateway;
  let asked: Record<string, unknown>[];

  beforeAll(async () => {
    gateway = await TestGateway.start({ WEBSSH_EMAILS: 'Listed@hub.test' });
    for (const who of [superAdmin, listed, member]) gateway.signIn(who);
    await mkdir(join(gateway.folder, 'console'), { recursive: true });
    await writeFile(join(gateway.folder, 'console', 'index.html'), '<title>Warren</title>');
  });
  afterAll(() => gateway?.stop());

  beforeEach(() => {
    asked = [];
    const answer = (method: string) => async (caller: Caller, request: object) => {
      asked.push({ method, by: requireUser(caller).name, ...request });
      return { device: device({ httpIp: '127.0.0.1' }) };
    };
    const handlers: Partial<RpcHandlers<typeof DevicesService>> = {
      setService: answer('setService'),
      enableHttp: answer('enableHttp'),
      setVnc: answer('setVnc'),
      renameDevice: answer('renameDevice'),
      moveDevice: answer('moveDevice'),
      replaceDevice: answer('replaceDevice'),
      deleteDevice: async (_caller, { id }) => {
        if (id === DEVICE) return {};
        throw new Fault('not_found', `device ${id}.`);
      },
      getDevice: async (caller) => shownTo(caller),
    };
    gateway.services.serve(DevicesService, handlers);
  });

  const put = (path: string, body: object = {}) => gateway.call('PUT', path, { as: superAdmin, body });

  it.each([
    ['ssh/enable', { feature: DeviceFeature.SSH, enabled: true }],
    ['ssh/disable', { feature: DeviceFeature.SSH, enabled: false }],
    ['http/enable', { feature: DeviceFeature.HTTP, enabled: true }],
    ['http/disable', { feature: DeviceFeature.HTTP, enabled: false }],
  ])('is switched by %s', async (path, change) => {
    const { status, json } = await put(`/tunnel/device/${path}/${DEVICE}/${SERIAL}`);
    expect([status, json.msg, json.result.id]).toEqual([200, 'Your request successfully done', DEVICE]);
    expect(asked).toEqual([
      expect.objectContaining({ method: 'setService', by: 'supera', id: DEVICE, serial: SERIAL, ...change }),
    ]);
  });

  it('takes a serial as it is written in an address', async () => {
    await put(`/tunnel/device/ssh/enable/${DEVICE}/${encodeURIComponent('a/b c')}`);
    expect(asked).toEqual([expect.objectContaining({ serial: 'a/b c' })]);
  });

  it.each([
    ['/tunnel/device/vnc/enable', 'service'],
    ['/tunnel/device/ssh/toggle', 'switch'],
  ])('answers 400 to %s, by name', async (path, field) => {
    const { status, json } = await put(`${path}/${DEVICE}/${SERIAL}`);
    expect([status, json.errors[0].field]).toEqual([400, field]);
  });

  it('turns a web service on, at the loopback by default', async () => {
    const body = { id: DEVICE, serial: SERIAL, port: '1880' };
    expect((await put('/tunnel/enable_http', body)).json.msg).toBe('HTTP request successfully done');
    await put('/tunnel/enable_http', { ...body, port: 80, ipaddr: '10.0.0.2' });
    expect(asked).toEqual([
      expect.objectContaining({ method: 'enableHttp', port: 1880, ip: '127.0.0.1', serial: SERIAL }),
      expect.objectContaining({ method: 'enableHttp', port: 80, ip: '10.0.0.2' }),
    ]);
  });

  it.each([
    ['/tunnel/enable_http', { id: DEVICE, serial: SERIAL, port: '' }, 'port', 'Please enter a valid HTTP port'],
    ['/tunnel/enable_http', { id: DEVICE, serial: SERIAL, port: 65_536 }, 'port', 'Please enter a valid HTTP port'],
    ['/tunnel/enable_http', { id: DEVICE, serial: SERIAL, port: 80, ipaddr: 'x' }, 'ipaddr', 'valid IP address'],
    ['/tunnel/enable_http', { id: DEVICE, port: 80 }, 'serial', 'expected string'],
    ['/tunnel/set_vnc', { id: DEVICE, serial: SERIAL, port: ':100' }, 'port', 'Please enter a valid port or display'],
    ['/tunnel/set_vnc', { id: DEVICE, serial: SERIAL, port: 5900, ipaddr: 'x' }, 'ipaddr', 'valid IP address'],
    ['/api/devices/change_hostname', { id: DEVICE, custom_name: '  ' }, 'custom_name', 'Please enter a valid hostname'],
    ['/api/devices/change_hostname', { id: '7', custom_name: 'x' }, 'id', 'expected an id'],
    ['/api/devices/change_account', { id: DEVICE, account: 'x' }, 'account', 'expected an id'],
  ])('%s refuses %j', async (path, body, field, message) => {
    const { status, json } = await put(path, body);
    expect(status).toBe(400);
    expect(json.errors).toEqual([expect.objectContaining({ field, message: expect.stringContaining(message) })]);
    expect(asked).toEqual([]);
  });

  it('receives the address of its desktop, by port or display', async () => {
    await put('/tunnel/set_vnc', { id: DEVICE, serial: SERIAL, port: ':1' });
    expect(asked).toEqual([expect.objectContaining({ method: 'setVnc', port: 5901, ip: '127.0.0.1', serial: SERIAL })]);
  });

  it('replaces an old entry, with new hardware only on request', async () => {
    const replace = (body: object) =>
      gateway.call('POST', `/api/devices/${DEVICE}/replace`, { as: superAdmin, body: { replaces: ACCOUNT, ...body } });
    const answers = [await replace({}), await replace({ new_hardware: true }), await replace({ new_hardware: 'yes' })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    const common = { method: 'replaceDevice', id: DEVICE, replacedId: ACCOUNT };
    expect(asked).toEqual([
      expect.objectContaining({ ...common, newHardware: false }),
      expect.objectContaining({ ...common, newHardware: true }),
    ]);
  });

  it('gets a name, or another account', async () => {
    const named = await put('/api/devices/change_hostname', { id: DEVICE, custom_name: ' Kiosk ' });
    expect([named.status, named.json.msg]).toEqual([200, 'Custom name successfully changed']);
    const moved = await put('/api/devices/change_account', { id: DEVICE, account: OTHER_ACCOUNT });
    expect([moved.status, moved.json.msg]).toEqual([200, 'Custom account successfully changed']);
    expect(asked).toEqual([
      expect.objectContaining({ method: 'renameDevice', id: DEVICE, customName: 'Kiosk' }),
      expect.objectContaining({ method: 'moveDevice', id: DEVICE, accountId: OTHER_ACCOUNT }),
    ]);
  });

  it('is deletion, which says what was not there', async () => {
    const options = { as: superAdmin, headers: { origin: 'http://hub.test' } };
    const { status, json } = await gateway.call('DELETE', `/tunnel/devices/${DEVICE}`, options);
    expect([status, json]).toEqual([200, { msg: 'device successfully removed' }]);
    expect((await gateway.call('DELETE', `/tunnel/devices/${ACCOUNT}`, options)).status).toBe(404);
  });

  it('is nothing that another site can ask for', async () => {
    const headers = { origin: 'http://evil.test' };
    for (const [method, path] of [
      ['PUT', '/tunnel/enable_http'],
      ['DELETE', `/tunnel/devices/${DEVICE}`],
    ] as const)
      expect((await gateway.call(method, path, { as: superAdmin, body: {}, headers })).status).toBe(403);
  });

  describe('rebooting', () => {
    const reboot = (who = superAdmin) =>
      gateway.call('POST', `/api/devices/${DEVICE}/reboot`, { as: who, headers: { origin: 'http://hub.test' } });
    const serve = (answer: () => Promise<object>) =>
      gateway.services.serve(TunnelsService, { rebootDevice: answer }, 'reboot-replica');

    beforeEach(() => gateway.link(DEVICE, 'reboot-replica'));
    afterAll(() => gateway.unlink(DEVICE, 'reboot-replica'));

    it('is asked of the replica that holds the device', async () => {
      let rebooted = 0;
      serve(async () => {
        rebooted++;
        return {};
      });
      expect(await reboot()).toMatchObject({ status: 200, json: { msg: 'Your request successfully done' } });
      expect(rebooted).toBe(1);
      expect((await reboot(member)).status).toBe(403);
      expect(rebooted).toBe(1);
    });

    it('answers 503 that says so when the device is not connected', async () => {
      const offline = { statusCode: 503, code: 'unavailable', message: 'Unavailable: device is not connected.' };
      serve(async () => Promise.reject(new Fault('unavailable', 'the link broke')));
      expect(await reboot()).toMatchObject({ status: 503, json: offline });
      await gateway.redis.del(`device:${DEVICE}`);
      const { status, json, headers } = await reboot();
      expect([status, json, headers['retry-after']]).toEqual([503, offline, '10']);
    });

    it('answers 409 with the reason of a device that refuses', async () => {
      const subject = 'Reboot refused';
      serve(async () => Promise.reject(new Fault('failed_precondition', 'pi says: Access denied', { subject })));
      const message = 'Reboot refused: pi says: Access denied';
      expect(await reboot()).toMatchObject({ status: 409, json: { code: 'failed_precondition', message } });
    });
  });

  describe('a terminal in a separate window', () => {
    it('is for those who are listed', async () => {
      const { status, json } = await gateway.get(`/api/generate-token/${DEVICE}`, listed);
      expect(status).toBe(200);
      expect(json.token).toBe(`${DEVICE}/1/${listed.member.user?.['id']}`);
      const url = new URL(json.url, 'http://hub.test');
      expect(url.pathname).toBe('/api/webssh/ssh/host/');
      expect(Object.fromEntries(url.searchParams)).toEqual({ token: json.token, id: DEVICE });
      for (const who of [member, superAdmin])
        expect((await gateway.get(`/api/generate-token/${DEVICE}`, who)).status).toBe(403);
    });

    it('is not of a device whose console is off, or of another account', async () => {
      gateway.services.serve(DevicesService, {
        getDevice: async (caller) => shownTo(caller, device({ sshEnabled: false })),
      });
      expect((await gateway.get(`/api/generate-token/${DEVICE}`, listed)).status).toBe(409);
      const elsewhere = device({ accountId: OTHER_ACCOUNT });
      gateway.services.serve(DevicesService, { getDevice: async (caller) => shownTo(caller, elsewhere) });
      expect((await gateway.get(`/api/generate-token/${DEVICE}`, listed)).status).toBe(404);
    });

    it('is a page of the console', async () => {
      const page = await gateway.get('/api/webssh/ssh/host/?token=x', undefined, { accept: 'text/html' });
      expect([page.status, page.text]).toEqual([200, '<title>Warren</title>']);
      expect((await gateway.get('/api/webssh/ssh/other', listed, { accept: 'text/html' })).status).toBe(404);
    });
  });
});
