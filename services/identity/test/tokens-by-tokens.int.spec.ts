import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { userCaller } from '@warren/platform/rpc/caller';
import { ApiTokenSchema, Role } from '@warren/proto/common/v1/common';
import { randomUUID } from 'node:crypto';
import { somebody, TokensWorld, WANTED, type Somebody } from './tokens.world.ts';

const world = new TokensWorld();
const { make, verify, isRefused } = world;
let client: TokensWorld['client'];

beforeAll(async () => {
  ({ client } = await world.start());
});
afterAll(() => world.stop());

describe('what a token does with tokens', () => {
  /** Acts as somebody by a token of theirs. */
  async function byTokenOf(who: Somebody, more: Partial<typeof WANTED> = {}) {
    const { secret, token } = await make(who, more);
    const { id = '', permissions = [] } = token ?? {};
    const narrowed = userCaller({ ...who.user, token: create(ApiTokenSchema, { id, name: 'Nightly', permissions }) });
    return { id, secret, caller: narrowed };
  }
  const program = (accountId: string) =>
    somebody(Role.MEMBER, accountId, { serviceAccount: true, name: 'CI runner' }).user;

  it('sees and revokes itself alone', async () => {
    const ada = somebody();
    const other = await make(ada);
    const { id, secret, caller } = await byTokenOf(ada);
    const { tokens } = await client.listOwnTokens(caller, {});
    expect(tokens.map((one) => one.id)).toEqual([id]);
    const revoke = (one: string) => client.revokeToken(caller, { id: one, own: true });
    await expect(revoke(other.token?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await isRefused(other.secret)).toBe(false);
    await revoke(id);
    expect(await isRefused(secret)).toBe(true);
  });

  it('makes those of service accounts, no wider and no longer than itself, and they end with it', async () => {
    const ada = somebody();
    const maker = await byTokenOf(ada, { permissions: ['service-accounts.manage', 'devices.read'], days: 10 });
    const serviceAccount = program(ada.user.accountId);
    const wanted = { ...WANTED, permissions: ['devices.read'], days: 9 };
    const makeBy = (more: Partial<typeof WANTED> = {}, caller = maker.caller) =>
      client.createServiceAccountToken(caller, { serviceAccount, token: { ...wanted, ...more } });
    const wrong = (field: string) => ({ code: 'invalid_argument', problems: [expect.objectContaining({ field })] });
    await expect(makeBy({ days: 11 })).rejects.toMatchObject(wrong('days'));
    await expect(makeBy({ permissions: ['devices.open'] })).rejects.toMatchObject(wrong('permissions'));
    const reader = await byTokenOf(ada, { permissions: ['devices.read'] });
    await expect(makeBy({}, reader.caller)).rejects.toMatchObject({ code: 'permission_denied' });
    const others = program(randomUUID());
    const abroad = client.createServiceAccountToken(maker.caller, { serviceAccount: others, token: wanted });
    await expect(abroad).rejects.toMatchObject({ code: 'not_found' });

    const [made, byPerson] = [await makeBy(), await makeBy({}, ada.caller)];
    await verify(made.secret);
    await client.revokeToken(ada.caller, { id: maker.id, own: true });
    expect(await isRefused(made.secret)).toBe(true);
    expect(await isRefused(byPerson.secret)).toBe(false);
    await expect(makeBy()).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('makes none for more accounts than its own: an Admin of the operator reads all of a trail, its Owner reads one', async () => {
    const operator = { operator: true };
    const owner = somebody(Role.OWNER, randomUUID(), operator);
    const { accountId } = owner.user;
    const superAdmin = somebody(Role.SUPER_ADMIN, accountId, operator);
    const more = { ...operator, serviceAccount: true, name: 'Reporter' };
    const serviceAccount = somebody(Role.ADMIN, accountId, more).user;
    const token = { ...WANTED, permissions: ['audit.read'] };
    await expect(client.createServiceAccountToken(owner.caller, { serviceAccount, token })).rejects.toMatchObject({
      problems: [expect.objectContaining({ field: 'permissions' })],
    });
    const made = await client.createServiceAccountToken(superAdmin.caller, { serviceAccount, token });
    expect(made.token?.permissions).toContain('audit.read');
  });

  it('makes none that escapes its revocation', async () => {
    const ada = somebody();
    const serviceAccount = program(ada.user.accountId);
    for (let n = 0; n < 5; n++) {
      const maker = await byTokenOf(ada, { permissions: ['service-accounts.manage', 'devices.read'], days: 10 });
      const wanted = { ...WANTED, permissions: ['devices.read'], days: 1 };
      const [made] = await Promise.allSettled([
        client.createServiceAccountToken(maker.caller, { serviceAccount, token: wanted }),
        client.revokeToken(ada.caller, { id: maker.id, own: true }),
      ]);
      const escaped = made.status === 'fulfilled' && !(await isRefused(made.value.secret));
      expect(escaped).toBe(false);
    }
  });
});
