import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { randomUUID } from 'node:crypto';
import { WAITING } from '../src/audit/audit.outbox.ts';
import { rowOf } from '../src/audit/audit.event.ts';
import { gateway, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from './until.ts';

let identity: IdentityProcess;
beforeAll(async () => {
  identity = await startIdentity();
}, 60_000);
afterAll(() => identity.stop(), 30_000);

function request(email: string) {
  const user = {
    userId: randomUUID(),
    email,
    name: 'Ada',
    accountId: randomUUID(),
    role: Role.MEMBER,
    operator: false,
  };
  return { user, deviceId: randomUUID(), deviceAccountId: randomUUID(), purpose: SocketPurpose.TERMINAL };
}

const someone = () => `${randomUUID()}@example.com`;
const eventsOf = async (email: string) => (await identity.audit()).filter(({ actor }) => actor === email);
const waiting = async (email: string) => (await identity.redis.hvals(WAITING)).filter((text) => text.includes(email));

describe('pending audit events', () => {
  it('are in Redis when the caller gets the answer, and in the trail moments later, once each', async () => {
    const email = someone();
    const wanted = request(email);
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    const noted = [...(await waiting(email)), ...(await eventsOf(email))];
    expect(noted.length).toBeGreaterThan(0);
    const redeem = { token, userId: wanted.user.userId, purpose: wanted.purpose };
    await identity.client.redeemSocketToken(tunnels, redeem);
    await until('nothing waits', async () => (await waiting(email)).length === 0);
    const detail = `terminal ${wanted.deviceId}`;
    expect(await eventsOf(email)).toMatchObject([
      { action: 'socket_token_issued', detail },
      { action: 'socket_token_redeemed', detail },
    ]);
  });

  it('are written for a process that died before it could, with the time at which they were true', async () => {
    const email = someone();
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const row = { ...rowOf({ action: 'socket_token_issued', actor: email, detail: 'terminal x' }), time: hourAgo };
    await identity.redis.hset(WAITING, row.id, JSON.stringify(row));
    await until('the event is in the trail', async () => (await eventsOf(email)).length > 0);
    await until('it waits no longer', async () => (await waiting(email)).length === 0);
    const [written] = (await identity.sql(`SELECT id, time FROM audit WHERE actor = '${email}'`)) as [
      { id: string; time: Date },
    ];
    expect(written).toEqual({ id: row.id, time: new Date(hourAgo) });
  });

  it('are written once, also when the process died after writing them', async () => {
    const email = someone();
    await identity.client.createSocketToken(gateway, request(email));
    await until('the event is in the trail', async () => (await eventsOf(email)).length > 0);
    const [{ id }] = (await identity.sql(`SELECT id FROM audit WHERE actor = '${email}'`)) as [{ id: string }];
    const again = { ...rowOf({ action: 'socket_token_issued', actor: email }), id, time: new Date(0).toISOString() };
    await identity.redis.hset(WAITING, id, JSON.stringify(again));
    await until('it waits no longer', async () => (await waiting(email)).length === 0);
    expect(await eventsOf(email)).toHaveLength(1);
  });

  it('drop half a surrogate pair, not the event', async () => {
    const email = `${'a'.repeat(399)}\u{1f600}@example.com`;
    await identity.client.createSocketToken(gateway, request(email));
    await until('the event is in the trail', async () => (await eventsOf(`${'a'.repeat(399)}\u{fffd}`)).length === 1);
  });

  it('survive while PostgreSQL is away; no token is issued meanwhile', async () => {
    const first = someone();
    await identity.sql('ALTER TABLE audit RENAME TO audit_away');
    try {
      await identity.client.createSocketToken(gateway, request(first));
      await until('tokens are refused', () =>
        identity.client.createSocketToken(gateway, request(someone())).then(
          () => false,
          () => true,
        ),
      );
      expect(await waiting(first)).toHaveLength(1);
    } finally {
      await identity.sql('ALTER TABLE audit_away RENAME TO audit');
    }
    await until('the event is in the trail', async () => (await eventsOf(first)).length === 1);
    await until('tokens are given again', () =>
      identity.client.createSocketToken(gateway, request(someone())).then(
        () => true,
        () => false,
      ),
    );
  });
});
