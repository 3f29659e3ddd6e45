import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { table, tokens, type TokenName } from './tokens.table.ts';

const lines = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const [head = [], ...rows] = lines;
const names = head.slice(1) as TokenName[];

test('every operation has a row', ({ world }) => {
  expect(rows.map(([id]) => id).sort()).toEqual(world.operations.map(({ id }) => id).sort());
});

/** Makes the tokens of the table; those that they make last no longer. @returns their secrets by name */
async function secretsOf(world: World): Promise<Map<TokenName, string>> {
  const { hub } = world.cast;
  const secrets = new Map<TokenName, string>();
  for (const name of names) {
    const { who, permissions, filter } = tokens[name];
    const cookie = world.cast.cookie(who);
    const session = await hub.must<{ permissions: string[] }>(cookie, 'GET', '/auth/saml/getsession');
    const wanted = { name: `Table ${name}`, filter, days: 2, permissions: permissions ?? session.permissions };
    secrets.set(name, (await hub.must<{ secret: string }>(cookie, 'POST', '/api/profile/tokens', wanted)).secret);
  }
  return secrets;
}

test('every operation answers each token as the table says', async ({ world }) => {
  const secrets = await secretsOf(world);
  const expected: Record<string, string> = {};
  const answered: Record<string, string> = {};
  for (const [id = '', ...cells] of rows) {
    for (const [at, name] of names.entries()) {
      const { who } = tokens[name];
      const actor = world.cast.actors.find((one) => one.name === who);
      if (!actor) throw new Error(`${who}: expected an actor`);
      const account = who === 'superAdmin' ? 'Meadow Farms' : actor.account;
      const { values, spends } = await world.input(id, actor, account);
      const answer = await world.cast.hub.call(secrets.get(name), requestOf(world.operation(id), values));
      if (spends && answer.status < 300) world.place(account).spend(spends);
      expected[`${id}, ${name}`] = cells[at] ?? '';
      answered[`${id}, ${name}`] = String(answer.status);
    }
  }
  await world.place('Meadow Farms').withoutTokens('Table');
  expect(answered).toEqual(expected);
});
