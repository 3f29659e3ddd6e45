import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { DevicePermission, Role } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { GuestLinksService, GuestLinkState, type CreateGuestLinkRequest } from '@warren/proto/identity/v1/guests';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { ACCOUNT, DEVICE, device, HUB, person, shownTo, TestGateway, type Person } from './gateway.ts';

const SLUG = 'raspberrypi-x7k2';
const HOST = `${SLUG}.devices.hub.test`;
const OTHER = '01997b5c-0000-7000-8000-0000000000d2';
const OTHER_HOST = 'other-pi.devices.hub.test';
const STATE = 'a'.repeat(64);
const LINK = '01997b5c-0000-7000-8000-0000000000f1';
const SECRET = 's'.repeat(43);
const WEB = { slug: SLUG, ip: '127.0.0.1', port: 1880 };
const maker = person('maker', Role.MEMBER);

describe('guest links to web services, at the gateway', () => {
  let gateway: TestGateway;
  let served: { httpEnabled: boolean; httpPort: number; httpIp: string; httpAddress: string };
  let permission: DevicePermission;
  let alive: boolean;
  let asked: CreateGuestLinkRequest | undefined;
  let uses: number;
  let withdrawn: number;
  let rights: boolean;
  /** What a test changes in the session of the guest, as another version of identity would. */
  let other: object;
  const guest: Person = { cookie: `warren-guest=${'g'.repeat(43)}`, member: {} };

  const linkOf = () => ({
    id: LINK,
    deviceId: DEVICE,
    deviceName: 'raspberrypi',
    accountId: ACCOUNT,
    permission,
    state: GuestLinkState.OPEN,
    ...(permission === DevicePermission.WEB && { web: WEB }),
  });
  const session = () => {
    const { id: userId, email } = maker.member.user as { id: string; email: string };
    const token = { id: 'g1', name: 'Grace', permissions: ['devices.open', 'devices.read'], filter: `id=${DEVICE}` };
    const opens = { permission, ...(permission === DevicePermission.WEB && { web: WEB }) };
    const who = { id: 'g1', name: 'Grace', linkId: LINK, deviceId: DEVICE, ...opens, ...other };
    return { saml: { email }, token: { token, userId, accountId: ACCOUNT, guest: who } };
  };

  beforeAll(async () => {
    gateway = await TestGateway.start();
  });
  afterAll(() => gateway?.stop());

  beforeEach(() => {
    served = { httpEnabled: true, httpPort: 1880, httpIp: '127.0.0.1', httpAddress: HOST };
    [withdrawn, rights, other] = [0, true, {}];
    gateway.signIn({ ...maker, member: { ...maker.member, guestLinks: true } });
    [permission, alive, asked, uses] = [DevicePermission.WEB, true, undefined, 0];
    const shown = async (caller: Caller, id = DEVICE) => {
      // As the filter of a guest's token holds it.
      const { token } = requireUser(caller);
      if (token && token.filter !== `id=${id}`) throw new Fault('not_found', `device ${id}.`);
      const elsewhere = id === DEVICE ? {} : { httpAddress: OTHER_HOST };
      const shownDevice = device({ id, ...served, ...elsewhere });
      return rights ? shownTo(caller, shownDevice) : { device: shownDevice };
    };
    gateway.services.serve(DevicesService, {
      getDevice: (caller, { id }) => shown(caller, id),
      getDeviceByAddress: (caller, { slug }) => shown(caller, slug === SLUG ? DEVICE : OTHER),
      findWebPage: async () => {
        const { httpEnabled: enabled, httpIp: ip, httpPort: port, httpAddress } = served;
        if (httpAddress !== HOST) throw new Fault('not_found', `${SLUG}.`);
        return { deviceId: DEVICE, enabled, ip, port };
      },
    });
    gateway.services.serve(GuestLinksService, {
      createGuestLink: async (_caller, request) => {
        asked = request;
        return { link: linkOf(), secret: SECRET };
      },
      listGuestLinks: async () => ({ links: [linkOf(), { ...linkOf(), permission: DevicePermission.MANAGE }] }),
      lookUpGuestLink: async () => ({ link: linkOf() }),
      redeemGuestLink: async () => {
        uses++;
        return { session: 'g'.repeat(43) };
      },
      verifyGuest: async () => {
        if (!alive) throw new Fault('unauthenticated', 'the guest access has ended.');
        return { session: session(), link: linkOf() };
      },
      withdrawGuestLink: async () => {
        withdrawn++;
        return {};
      },
    });
  });

  const create = (body: object) =>
    gateway.call('POST', `/api/devices/${DEVICE}/guest-links`, { as: maker, body: { uses: 1, ...body } });
  const fields = ({ json }: { json: { errors?: { field: string; message: string }[] } }) => json.errors ?? [];

  it('is made for a web service that the device has', async () => {
    const made = await create({ purpose: 'web', port: 1880 });
    expect(made).toMatchObject({ status: 201, json: { result: { purpose: 'web', port: 1880 } } });
    expect(asked).toMatchObject({ permission: DevicePermission.WEB, web: WEB });
    const { json } = await gateway.get(`/api/devices/${DEVICE}/guest-links`, maker);
    // A purpose of a later version is none of those that this one shows.
    expect(json.links).toMatchObject([{ purpose: 'web', port: 1880 }]);
  });

  it.each([
    ['no port', { purpose: 'web' }, 'expected the port of a web service of the device'],
    [
      'a port without a service',
      { purpose: 'web', port: 8080 },
      'the device has no web service at port 8080; expected 1880',
    ],
    [
      'a port for a terminal',
      { purpose: 'terminal', port: 1880 },
      'expected null: a link to the terminal opens no web',
    ],
    ['a port that is none', { purpose: 'web', port: 70_000 }, 'expected a port'],
  ])('is refused with %s', async (_what, body, message) => {
    const refused = await create(body);
    expect(refused.status).toBe(400);
    expect(fields(refused)).toMatchObject([{ field: 'port', message: expect.stringContaining(message) }]);
    expect(asked).toBeUndefined();
  });

  it('is refused while the web service is off', async () => {
    served.httpEnabled = false;
    expect(await create({ purpose: 'web', port: 1880 })).toMatchObject({ status: 409 });
  });

  const ticket = () => gateway.call('POST', '/api/guest/web-address', { as: guest, body: { secret: SECRET } });
  const socket = () => gateway.call('POST', '/api/guest/socket-token', { as: guest, body: {} });

  it('gives its guest a ticket for that service, and no socket', async () => {
    const shown = await gateway.get('/api/guest/session', guest);
    expect(shown.json).toMatchObject({ purpose: 'web', service: 'on', web: { address: HOST } });
    const { status, json } = await ticket();
    expect(status).toBe(200);
    expect(json.url).toBe(`http://${HOST}/.warren/enter`);
    expect(json.ticket).toContain(`${DEVICE}/${SocketPurpose.GUEST_WEB}/`);
    expect(gateway.tokenSessions.at(-1)).toBe('g'.repeat(43));
    expect(await socket()).toMatchObject({ status: 403 });
    const foreign = { as: guest, body: { secret: SECRET }, headers: { origin: `http://${HOST}` } };
    expect(await gateway.call('POST', '/api/guest/web-address', foreign)).toMatchObject({ status: 403 });
    permission = DevicePermission.TERMINAL;
    expect(await ticket()).toMatchObject({ status: 403 });
  });

  it('says what has become of the service, and spends no use meanwhile', async () => {
    const states = async () => {
      const looked = await gateway.call('POST', `/api/guest/${LINK}`, { body: { secret: SECRET } });
      const shown = await gateway.get('/api/guest/session', guest);
      return [looked.json.service, shown.json.service, (await ticket()).status];
    };
    const redeem = () => gateway.call('POST', `/api/guest/${LINK}/redeem`, { body: { secret: SECRET, name: 'Grace' } });
    expect(await states()).toEqual(['on', 'on', 200]);
    served.httpEnabled = false;
    expect(await states()).toEqual(['off', 'off', 409]);
    expect(await redeem()).toMatchObject({ status: 409 });
    served = { ...served, httpEnabled: true, httpPort: 8080 };
    expect(await states()).toEqual(['gone', 'gone', 409]);
    expect(await redeem()).toMatchObject({ status: 409 });
    served = { ...served, httpPort: 1880, httpIp: '127.0.0.2' };
    expect(await states()).toEqual(['gone', 'gone', 409]);
    served = { ...served, httpIp: '127.0.0.1', httpAddress: OTHER_HOST };
    expect(await states()).toEqual(['gone', 'gone', 409]);
    expect(uses).toBe(0);
    served.httpAddress = HOST;
    expect(await redeem()).toMatchObject({ status: 200 });
  });

  const versions: [string, () => void][] = [
    ['an identity of before that knows no such purpose', () => (other = { permission: 0, web: undefined })],
    ['an identity of before that names no web service', () => (other = { web: undefined })],
    ['an identity of later with a purpose of its version', () => (other = { permission: 99, web: undefined })],
    ['a devices service of before that sends no rights', () => (rights = false)],
    ['a tenancy of before that does not say whether guest links are on', () => void gateway.signIn(maker)],
  ];

  it.each(versions)('is not ended for good by the answer of %s', async (_which, change) => {
    change();
    expect(await gateway.get('/api/guest/session', guest)).toMatchObject({ status: 503 });
    expect(withdrawn).toBe(0);
  });

  it('is ended for good when guest links are off', async () => {
    gateway.signIn({ ...maker, member: { ...maker.member, guestLinks: false } });
    expect(await gateway.get('/api/guest/session', guest)).toMatchObject({ status: 401 });
    expect(withdrawn).toBe(1);
  });

  const visit = (host: string, more = '') => `/tunnel/open?host=${host}&state=${STATE}&path=/a${more}`;

  it('leads a visit of its guest to that service, and to no other', async () => {
    const led = await gateway.get(visit(HOST), guest);
    expect(led.status).toBe(303);
    const entry = new URL(led.headers.location ?? '');
    expect(`${entry.origin}${entry.pathname}`).toBe(`http://${HOST}/.warren/enter`);
    expect(entry.searchParams.get('ticket')).toContain(`${DEVICE}/${SocketPurpose.GUEST_WEB}/`);
    // Users with the cookie of a guest sign in from any of these pages.
    const signIn = expect.stringContaining('/auth/saml/login?RelayState=');
    expect(await gateway.get(visit(OTHER_HOST), guest)).toMatchObject({ status: 404, text: signIn });
    permission = DevicePermission.TERMINAL;
    expect(await gateway.get(visit(HOST), guest)).toMatchObject({ status: 403, text: signIn });
    alive = false;
    const ended = await gateway.get(visit(HOST), guest);
    expect(ended).toMatchObject({ status: 401, text: signIn });
    expect(ended.text).toContain('Guest access ended');
    // So a reload says the same.
    expect(ended.headers['set-cookie']).toBeUndefined();
  });

  it('asks a browser that comes from another site once more, for the cookie of a guest', async () => {
    const cross = { 'sec-fetch-site': 'cross-site' };
    const first = await gateway.get(visit(HOST), undefined, cross);
    expect(first).toMatchObject({ status: 200, text: '', headers: { refresh: `0; url=${visit(HOST)}&asked=1` } });
    const second = await gateway.get(visit(HOST, '&asked=1'), undefined, cross);
    expect(new URL(second.headers.location ?? '', HUB).pathname).toBe('/auth/saml/login');
  });
});
