import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hashOf } from '../src/secrets/secret.ts';
import { gateway, signInRequest, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';

let identity: IdentityProcess;
const UNAUTHENTICATED = { code: 'unauthenticated' };

beforeAll(async () => void (identity = await startIdentity()));
afterAll(() => identity?.stop());

const keyOf = (secret: string) => `identity:session:${hashOf(secret)}`;
const signIn = async () => (await identity.client.signIn(gateway, signInRequest())).session;

it('rejects a session that another program wrote into Redis', async () => {
  const session = await signIn();
  const stored = (await identity.redis.get(keyOf(session))) ?? '';
  // Of another secret, which the forger knows; with another e-mail; without a seal.
  await identity.redis.set(keyOf('chosen'), stored, 'PX', 60_000);
  await expect(identity.client.getSession(gateway, { session: 'chosen' })).rejects.toMatchObject(UNAUTHENTICATED);
  await expect(identity.client.checkSession(tunnels, { session: hashOf('chosen') })).resolves.toMatchObject({
    alive: false,
  });
  for (const forged of [
    stored.replace(/[^"]+@example.com/g, 'boss@operator.test'),
    stored.replace(/,"seal":.*/, '}'),
  ]) {
    expect(forged).not.toBe(stored);
    await identity.redis.set(keyOf(session), forged, 'PX', 60_000);
    await expect(identity.client.getSession(gateway, { session })).rejects.toMatchObject(UNAUTHENTICATED);
  }
  await identity.redis.set(keyOf(session), stored, 'PX', 60_000);
  await expect(identity.client.getSession(gateway, { session })).resolves.toBeDefined();
});
