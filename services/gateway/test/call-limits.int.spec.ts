import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { Role } from '@warren/proto/common/v1/common';
import { Fault } from '@warren/platform/errors/fault';
import { GuestLinksService } from '@warren/proto/identity/v1/guests';
import { randomInt, randomUUID } from 'node:crypto';
import { RATES } from '../src/http/rate.limits.ts';
import { ACCOUNT, DEVICE, person, TestGateway, type Person, shownTo } from './gateway.ts';

describe('limits of calls', () => {
  let gateway: TestGateway;
  let mostSockets: bigint | undefined;

  beforeAll(async () => {
    gateway = await TestGateway.start({ RATE_LIMITS: 'enrol=2,guest-access=2', TRUST_PROXY: 'loopback' });
    gateway.services.serve(DevicesService, { getDevice: async (caller) => shownTo(caller) });
    gateway.identity.createSocketToken = async (_caller, request) => {
      ({ mostSockets } = request);
      return { token: 'token' };
    };
  });
  afterAll(() => gateway?.stop());

  /** A person of an account with quotas; undefined: unlimited. */
  const signIn = (name: string, limits: Record<string, bigint | undefined>, account: string = randomUUID()): Person => {
    const who = person(name, Role.OWNER, { account });
    const quotas = Object.entries(limits).map(([quota, limit]) => ({ name: quota, ...(limit && { limit }) }));
    return gateway.signIn({ ...who, member: { ...who.member, quotas: { quotas } as never } });
  };
  const ask = (who: Person) => gateway.get(`/api/devices/${DEVICE}`, who);

  it('are held by the people of an account together, and by no others', async () => {
    const [ann, bob] = [signIn('ann', { api_calls: 3n }), signIn('bob', { api_calls: 3n })];
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(ann)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const { json, headers } = await ask(ann);
    expect([json.code, json.message]).toEqual([
      'resource_exhausted',
      'Quota reached: This account may have 3 API calls a minute. Wait a moment, or ask the operator of this hub for a higher limit.',
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(bob)).status).toBe(200);
  });

  it('are none for an account without a limit, and for an older tenancy that sends none', async () => {
    for (const who of [signIn('cy', { api_calls: undefined }), signIn('di', {})])
      for (let calls = 0; calls < 4; calls++) expect((await ask(who)).status).toBe(200);
  });

  it('do not keep the quota of sockets from the token that opens one', async () => {
    await gateway.link(DEVICE);
    const open = (who: Person) => gateway.get(`/api/get-socket-token/${DEVICE}`, who);
    expect((await open(signIn('ed', { sockets: 7n }, ACCOUNT))).status).toBe(200);
    expect(mostSockets).toBe(7n);
    await open(signIn('flo', { sockets: undefined }, ACCOUNT));
    expect(mostSockets).toBeUndefined();
  });

  it('keep a terminal, a desktop and a device page closed when the traffic is used up, and the logs open', async () => {
    const who = person('gus', Role.OWNER);
    const quotas = { quotas: [{ name: 'traffic', limit: 5n, usedUp: true }] } as never;
    const gus = gateway.signIn({ ...who, member: { ...who.member, quotas } });
    const open = (purpose: string) => gateway.get(`/api/get-socket-token/${DEVICE}?purpose=${purpose}`, gus);
    const refused = {
      status: 409,
      json: {
        code: 'quota_reached',
        message:
          'Quota reached: This account may have 5 GB of traffic a month. Wait for the first of the next month, or ask the operator of this hub for a higher limit.',
      },
    };
    const body = { secret: 's'.repeat(43) };
    for (const answer of [
      await open('terminal'),
      await open('desktop'),
      await gateway.call('POST', `/api/devices/${DEVICE}/web-address`, { body, as: gus }),
    ])
      expect(answer).toMatchObject(refused);
    expect((await open('logs')).status).toBe(200);
  });

  it('are set for public routes one by one', async () => {
    const headers = { 'x-forwarded-for': `198.51.${randomInt(256)}.${randomInt(256)}` };
    const call = async (path: string) => (await gateway.call('POST', path, { body: {}, headers })).status;
    expect([await call('/agent/enrol'), await call('/agent/enrol'), await call('/agent/enrol')]).toEqual([
      ...[400, 400, 429],
    ]);
    expect(RATES.rotate).toBeGreaterThan(3);
    for (let calls = 0; calls < 3; calls++) expect(await call('/agent/rotate_key')).toBe(400);
  });

  it('count calls of each guest, and refused ones of each address', async () => {
    gateway.services.serve(GuestLinksService, {
      verifyGuest: async (_caller, { secret }) => {
        const [id = ''] = secret.split('_');
        // The limit is all that this is about: the maker of the link is nobody.
        if (id === 'gone') throw new Fault('unauthenticated', 'the guest access has ended.');
        return { session: { token: { token: { id }, guest: { id, deviceId: DEVICE } } }, link: { id } };
      },
      withdrawGuestLink: async () => ({}),
    });
    const headers = { 'x-forwarded-for': `198.51.${randomInt(256)}.${randomInt(256)}` };
    const call = async (name: string) => {
      const as = { cookie: `warren-guest=${name.padEnd(43, '_')}`, member: {} };
      return (await gateway.get('/api/guest/session', as, headers)).status === 429;
    };
    const [grace, mary, gone] = [randomUUID(), randomUUID(), 'gone'];
    for (const guest of [grace, mary, grace, mary]) expect(await call(guest)).toBe(false);
    expect(await call(grace)).toBe(true);
    expect([await call(gone), await call(gone), await call(gone)]).toEqual([false, false, true]);
  });
});
