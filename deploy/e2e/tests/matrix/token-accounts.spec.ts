import { mark, serviceAccountBody } from '../../support/matrix/bodies.ts';
import type { Actor } from '../../support/matrix/cast.ts';
import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { table } from './token-accounts.table.ts';

const OWN = 'Meadow Farms';
const OTHER = 'Harbour Lab';
const NAMES = ['owner', 'service'] as const;
type Name = (typeof NAMES)[number];
type Made = { secret: string };

const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', owner = '', service = ''] = line.split('|').map((cell) => cell.trim());
    return { id, cells: { owner, service } };
  });

const actorOf = (world: World, name: Actor['name']): Actor => {
  const actor = world.cast.actors.find((one) => one.name === name);
  if (!actor) throw new Error(`cast: there is no ${name}`);
  return actor;
};

/** Makes a token with all that its owner may. */
async function ownerToken({ cast }: World): Promise<string> {
  const cookie = cast.cookie('owner');
  const { permissions } = await cast.hub.must<{ permissions: string[] }>(cookie, 'GET', '/auth/saml/getsession');
  // Longer than the tokens that it makes.
  const wanted = { name: `Person ${mark()}`, filter: '', days: 2, permissions };
  return (await cast.hub.must<Made>(cookie, 'POST', '/api/profile/tokens', wanted)).secret;
}

/** Makes a service account in the role Admin. @returns a token with all that it may, and what removes it */
async function serviceToken(world: World): Promise<{ secret: string; remove: () => Promise<unknown> }> {
  const { hub } = world.cast;
  const [cookie, path] = [world.cast.cookie('owner'), `/api/accounts/${world.place(OWN).id}/service_accounts`];
  // Another name than that by which inputs remove tokens.
  const body = { ...serviceAccountBody(), name: `Accounts ${mark()}`, role: 'Admin' };
  const { result } = await hub.must<{ result: { id: string; permissions: string[] } }>(cookie, 'POST', path, body);
  const wanted = { name: 'All', filter: '', days: 1, permissions: result.permissions };
  const { secret } = await hub.must<Made>(cookie, 'POST', `${path}/${result.id}/tokens`, wanted);
  return { secret, remove: () => hub.must(cookie, 'DELETE', `${path}/${result.id}`) };
}

test('every operation has a row', ({ world }) => {
  expect(rows.map(({ id }) => id).sort()).toEqual(world.operations.map(({ id }) => id).sort());
});

test('a token of a person and one of a service account reach their own account alone', async ({ world }) => {
  test.setTimeout(180_000);
  const service = await serviceToken(world);
  const secrets: Record<Name, string> = { owner: await ownerToken(world), service: service.secret };
  const actor = actorOf(world, 'owner');
  const expected: Record<string, string> = {};
  const answered: Record<string, string> = {};
  for (const { id, cells } of rows) {
    for (const name of NAMES) {
      const [own = '', other = own] = cells[name].split('/');
      for (const [account, status] of [
        [OWN, own],
        [OTHER, other],
      ] as const) {
        const { values, spends } = await world.input(id, actor, account);
        const answer = await world.cast.hub.call(secrets[name], requestOf(world.operation(id), values));
        if (spends && answer.status < 300) world.place(account).spend(spends);
        expected[`${id}, ${name}, ${account}`] = status;
        answered[`${id}, ${name}, ${account}`] = String(answer.status);
      }
    }
  }
  await service.remove();
  await world.place(OWN).withoutTokens('Person');
  expect(answered).toEqual(expected);
});

test('a SCIM token is nobody at the API, and provisions its own account alone; no other token provisions', async ({
  world,
}) => {
  const { hub } = world.cast;
  const cookie = world.cast.cookie('owner');
  const path = `/api/accounts/${world.place(OWN).id}/scim_tokens`;
  await world.place(OWN).withoutScimTokens();
  const { secret } = await hub.must<Made>(cookie, 'POST', path, { name: 'Matrix', days: 1 });
  const scim = async (credential: string | undefined, id: string, method = 'GET', body?: string) =>
    (await hub.call(credential, { method, path: `/scim/v2/${id}`, body })).status;
  const [own, other] = await Promise.all([OWN, OTHER].map((account) => world.place(account).thing('user')));
  const [group, otherGroup] = await Promise.all([OWN, OTHER].map((account) => world.place(account).thing('group')));
  expect(await scim(secret, `Users/${own}`)).toBe(200);
  expect(await scim(secret, `Groups/${group}`)).toBe(200);
  for (const id of [`Users/${other}`, `Groups/${otherGroup}`])
    for (const method of ['GET', 'DELETE'])
      expect([id, method, await scim(secret, id, method)]).toEqual([id, method, 404]);
  const actor = actorOf(world, 'owner');
  const answered: Record<string, number> = {};
  for (const operation of world.operations) {
    if (operation.isPublic) continue;
    // Its input makes room for another token by revoking those of the account.
    const { values } = await world.input(operation.id, actor, operation.id === 'createScimToken' ? OTHER : OWN);
    answered[operation.id] = (await hub.call(secret, requestOf(operation, values))).status;
  }
  expect(answered).toEqual(Object.fromEntries(Object.keys(answered).map((id) => [id, 401])));

  const service = await serviceToken(world);
  for (const credential of [await ownerToken(world), service.secret, cookie, undefined])
    for (const id of ['Users', `Users/${own}`, 'Groups', 'ServiceProviderConfig'])
      expect([id, await scim(credential, id)]).toEqual([id, 401]);
  await service.remove();
  await world.place(OWN).withoutTokens('Person');
  await world.place(OWN).withoutScimTokens();
  expect(await scim(secret, 'Users')).toBe(401);
});
