import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { Role, SortOrder } from '@warren/proto/common/v1/common';
import { DevicesService, DeviceSort, type ListDevicesRequest } from '@warren/proto/devices/v1/devices';
import { ACCOUNT, DEVICE, device, HUB, OTHER_ACCOUNT, person, TestGateway, shownTo } from './gateway.ts';

const member = person('member', Role.MEMBER);
const admin = person('superb', Role.SUPER_ADMIN, { operator: true });
const newcomer = { cookie: person('newcom', Role.MEMBER).cookie, member: {} };

describe('the REST interface', () => {
  let gateway: TestGateway;
  let asked: { caller: Caller; request: ListDevicesRequest }[];
  let devices: Partial<RpcHandlers<typeof DevicesService>>;

  beforeAll(async () => {
    gateway = await TestGateway.start({ OPERATOR_EMAIL: 'superb@hub.test' });
    gateway.signIn(member);
    gateway.signIn(admin);
    gateway.signIn(newcomer);
  });
  afterAll(() => gateway?.stop());

  beforeEach(() => {
    asked = [];
    devices = {
      listDevices: async (caller, request) => {
        asked.push({ caller, request });
        return { devices: [device()], total: 7 };
      },
      getDevice: async (caller, { id }) => {
        if (id === DEVICE) return shownTo(caller);
        throw new Fault('not_found', `device ${id}.`);
      },
      getDeviceCounts: async () => ({ total: 3, connected: 2 }),
    };
    gateway.services.serve(DevicesService, devices);
  });

  it('lists what the service gives, as the signed-in user', async () => {
    const { status, json, headers } = await gateway.get(
      '/api/devices?search=x&limit=9999&sort=name&order=desc',
      member,
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({ total: 7, devices: [{ _id: DEVICE, id: DEVICE, status: 'Connected' }] });
    expect(headers['cache-control']).toBe('no-store');
    const [{ caller, request } = { caller: undefined, request: undefined }] = asked;
    expect(caller && requireUser(caller)).toMatchObject({ accountId: ACCOUNT, role: Role.MEMBER, operator: false });
    expect(request).toMatchObject({
      page: { page: 1, limit: 200, search: '', order: SortOrder.DESC },
      sort: DeviceSort.NAME,
      accountId: '',
    });
  });

  it('answers 401 without a session, and with one that has ended', async () => {
    expect((await gateway.get('/api/devices')).json).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
    expect((await gateway.get('/api/devices', person('stranger', Role.OWNER))).status).toBe(401);
    expect(asked).toEqual([]);
  });

  it('answers 403 with the reason to a person without an account', async () => {
    const { status, json } = await gateway.get('/api/devices', newcomer);
    expect([status, json.code]).toEqual([403, 'account_issue']);
  });

  it('answers 400 that names the field, what came and what was expected', async () => {
    const { status, json } = await gateway.get('/api/devices?sort=colour&page=0', member);
    expect(status).toBe(400);
    expect(json.message).toMatch(/^Invalid input \(page\): /);
    expect(json.errors).toEqual([
      { field: 'page', message: expect.stringMatching(/>=1/), value: '"0"' },
      { field: 'sort', message: expect.stringMatching(/^expected status, name, account, /), value: '"colour"' },
    ]);
    const param = await gateway.get('/api/devices/7', member);
    expect(param.json.errors).toEqual([
      { field: 'id', message: expect.stringContaining('expected an id'), value: '"7"' },
    ]);
    expect((await gateway.get('/api/devices?page=1&page=2', member)).status).toBe(400);
  });

  it('answers 404 for a device that is not there or not theirs', async () => {
    const { status, json } = await gateway.get(`/api/devices/${OTHER_ACCOUNT}`, member);
    expect(status).toBe(404);
    expect(json).toEqual({ statusCode: 404, code: 'not_found', message: `Not found: device ${OTHER_ACCOUNT}.` });
  });

  it('answers 404 for a path that no route knows, never the console', async () => {
    const { status, json } = await gateway.get('/api/nothing?token=secret', member, { accept: 'text/html' });
    expect([status, json.code]).toEqual([404, 'not_found']);
  });

  it.each([
    ['already_exists', 409],
    ['failed_precondition', 409],
    ['permission_denied', 403],
    ['resource_exhausted', 429],
  ] as const)('answers %s with %d', async (code, expected) => {
    devices.getDevice = async () =>
      Promise.reject(new Fault(code, 'of the test.', { subject: 'Because', retryAfter: 1.5 }));
    const { status, json, headers } = await gateway.get(`/api/devices/${DEVICE}`, member);
    expect(status).toBe(expected);
    expect(json).toEqual({ statusCode: expected, code, message: 'Because: of the test.' });
    expect(headers['retry-after']).toBe('2');
  });

  it('answers 503 with Retry-After when a service is down, and does not say which', async () => {
    delete devices.getDeviceCounts;
    const { status, json, headers } = await gateway.get('/api/home', member);
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('2');
    expect(json.message).toMatch(/^Unavailable: /);
    expect(JSON.stringify(json)).not.toContain('devices');
  });

  it('answers an unknown error with a request id alone', async () => {
    devices.getDevice = async () => Promise.reject(new Error('the password is hunter2'));
    const { status, json, headers, text } = await gateway.get(`/api/devices/${DEVICE}`, member, {
      'x-request-id': 'request-12345',
    });
    expect(status).toBe(500);
    expect(text).not.toContain('hunter2');
    expect(json.message).toContain('request-12345');
    expect(headers['x-request-id']).toBe('request-12345');
  });

  it('refuses a body that is no JSON or too large', async () => {
    const broken = await gateway.call('POST', '/api/enrolment_tokens', { as: member, body: '{"account": ' });
    expect([broken.status, broken.json.code]).toEqual([400, 'invalid_argument']);
    const large = await gateway.call('POST', '/api/enrolment_tokens', {
      as: member,
      body: { x: 'y'.repeat(101 * 1024) },
    });
    expect([large.status, large.json.code]).toEqual([413, 'payload_too_large']);
  });

  it('refuses a change that another site asks for', async () => {
    const body = { account: ACCOUNT, devices: 1 };
    const headers = { origin: 'http://evil.test' };
    const { status, json } = await gateway.call('POST', '/api/enrolment_tokens', { as: member, body, headers });
    expect([status, json.code]).toEqual([403, 'permission_denied']);
  });

  it('gives a token with the command that uses it', async () => {
    devices.createEnrolmentToken = async (_caller, { accountId, uses }) => ({
      id: DEVICE,
      token: `t-${uses}-${accountId}`,
    });
    const body = { account: ACCOUNT, devices: 5 };
    const { status, json } = await gateway.call('POST', '/api/enrolment_tokens', { as: member, body });
    expect(status).toBe(201);
    expect(json).toMatchObject({ id: DEVICE, token: `t-5-${ACCOUNT}` });
    expect(json.command).toBe(`curl -fsSL '${HUB}/install/${ACCOUNT}?token=t-5-${ACCOUNT}' | sudo sh`);
    const many = await gateway.call('POST', '/api/enrolment_tokens', { as: member, body: { ...body, devices: 501 } });
    expect(many.json.errors).toEqual([{ field: 'devices', message: expect.stringContaining('500'), value: '501' }]);
  });

  it('revokes a token by its account and id', async () => {
    const asked: unknown[] = [];
    devices.revokeEnrolmentToken = async (caller, { accountId, id }) => {
      asked.push([requireUser(caller).userId, accountId, id]);
      return {};
    };
    const path = `/api/enrolment_tokens/${ACCOUNT}/${DEVICE}`;
    const by = { as: member, headers: { origin: HUB } };
    const { status, json } = await gateway.call('DELETE', path, by);
    expect([status, json]).toEqual([200, { msg: 'enrolment token successfully revoked' }]);
    expect(asked).toEqual([[member.member.user?.['id'], ACCOUNT, DEVICE]]);
    expect((await gateway.call('DELETE', `${path}x`, by)).status).toBe(400);
  });

  describe('a socket token', () => {
    beforeEach(async () => {
      await gateway.link(DEVICE);
      gateway.tokenSessions.length = 0;
    });
    afterAll(() => gateway.unlink(DEVICE));

    it('names the connection of a device that is online', async () => {
      const { status, json } = await gateway.get(`/api/get-socket-token/${DEVICE}?purpose=terminal`, member);
      expect(status).toBe(200);
      expect(json).toMatchObject({ device_name: 'raspberrypi', device_sid: 'c1', user_id: member.member.user?.['id'] });
      expect(json.token).toBe(`${DEVICE}/1/${json.user_id}`);
      const info = await gateway.get(`/socketsio/get_device_info/${DEVICE}`, member);
      expect(info.json).toEqual({ ...json, token: undefined });
    });

    it('is empty while the device is offline, as a page asks again and again', async () => {
      await gateway.unlink(DEVICE);
      const { json } = await gateway.get(`/api/get-socket-token/${DEVICE}`, member);
      expect(json).toMatchObject({ token: '', device_sid: '', user_id: member.member.user?.['id'] });
      expect(gateway.tokenSessions).toEqual([]);
    });

    it.each(['get-socket-token', 'generate-token'])('is of the session that asks for it (%s)', async (route) => {
      expect((await gateway.get(`/api/${route}/${DEVICE}`, admin)).status).toBe(200);
      expect(gateway.tokenSessions).toEqual([admin.cookie.slice('warren='.length)]);
    });

    it('is not given to a SuperAdmin either while the account of the device is disabled', async () => {
      devices.getDevice = async (caller) => shownTo(caller, device({ accountDisabled: true }));
      for (const path of [`get-socket-token/${DEVICE}`, `generate-token/${DEVICE}`]) {
        const { status, json } = await gateway.get(`/api/${path}`, admin);
        expect([status, json.message]).toEqual([409, 'Account disabled: The account is disabled.']);
      }
      const web = await gateway.call('POST', `/api/devices/${DEVICE}/web-address`, {
        as: admin,
        body: { secret: 's'.repeat(43) },
      });
      expect([web.status, web.json.message]).toEqual([409, 'Account disabled: The account is disabled.']);
    });

    it.each([
      ['desktop', 2],
      ['logs', 3],
    ])('is for the %s when that is asked for', async (purpose, number) => {
      const { json } = await gateway.get(`/api/get-socket-token/${DEVICE}?purpose=${purpose}`, member);
      expect(json.token).toBe(`${DEVICE}/${number}/${json.user_id}`);
    });

    it.each(['terminal', 'desktop', 'logs'])(
      'is not given for the %s when the console is turned off',
      async (purpose) => {
        devices.getDevice = async (caller) => shownTo(caller, device({ sshEnabled: false }));
        const { status, json } = await gateway.get(`/api/get-socket-token/${DEVICE}?purpose=${purpose}`, member);
        expect([status, json.code]).toEqual([409, 'failed_precondition']);
      },
    );

    it('is not given for a device of another account, whatever the service says', async () => {
      devices.getDevice = async () => ({ device: device({ accountId: OTHER_ACCOUNT }) });
      expect((await gateway.get(`/api/get-socket-token/${DEVICE}`, member)).status).toBe(404);
    });
  });

  it('asks for a device with the rights of now', async () => {
    const asked: string[] = [];
    devices.getDevice = async (caller) => {
      asked.push(requireUser(caller).accountId);
      return shownTo(caller);
    };
    const mover = gateway.signIn(person('mover', Role.MEMBER));
    const path = `/api/get-socket-token/${DEVICE}`;
    for (const count of [1, 2]) {
      expect((await gateway.get(path, mover)).status).toBe(200);
      expect(asked).toHaveLength(count);
    }
    gateway.signIn(person('mover', Role.MEMBER, { account: OTHER_ACCOUNT }));
    expect((await gateway.get(path, mover)).status).toBe(404);
    expect(asked).toEqual([ACCOUNT, ACCOUNT, OTHER_ACCOUNT]);
  });

  it('shows its description to those who are signed in', async () => {
    expect((await gateway.get('/api/openapi.json')).status).toBe(401);
    const { json } = await gateway.get('/api/openapi.json', member);
    const { get: list, post } = { ...json.paths['/api/devices'], post: json.paths['/api/devices/{id}/reboot'].post };
    expect(list.operationId).toBe('listDevices');
    expect([list.responses['415'], Object.keys(post.responses['415'].content)]).toEqual([
      undefined,
      ['application/json'],
    ]);
    const page = await gateway.get('/api/docs', member);
    expect(page.headers['content-type']).toContain('text/html');
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await gateway.get(file ?? '', member)).status).toBe(200);
    }
    expect((await gateway.get('/api/docs/assets/package.json', member)).status).toBe(404);
  });
});
