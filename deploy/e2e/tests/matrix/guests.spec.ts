import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { guestLinkBody } from '../../support/matrix/bodies.ts';
import { guestTable } from './guests.table.ts';

const [OWN, OTHER] = ['Meadow Farms', 'Harbour Lab'];

const rows = guestTable
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Operations that need no session, besides those of guests: they look at no cookie. */
const FOR_NOBODY = ['enrol', 'lookUpInvitation', 'redeemGuestLink', 'rotateKey', 'separateMachine', 'signUp'];

/** Makes a link to the web service of a device of the account. */
async function webLink(world: World): Promise<{ id: string; secret: string }> {
  const [asker, { id: device }] = [await world.place(OWN).thing('asker'), await world.place(OWN).thing('page')];
  const body = { ...guestLinkBody(), purpose: 'web', port: 1880 };
  type Made = { result: { id: string }; url: string };
  const made = await world.cast.hub.must<Made>(asker, 'POST', `/api/devices/${device}/guest-links`, body);
  return { id: made.result.id, secret: new URL(made.url).hash.slice(1) };
}

/** Redeems a link of the account. @returns the cookie of the guest */
async function guestCookie(world: World, link?: { id: string; secret: string }): Promise<string> {
  const { id, secret } = link ?? (await world.place(OWN).thing('guestLink'));
  const { origin } = world.cast.hub;
  const body = JSON.stringify({ secret, name: 'Matrix guest', pin: '' });
  const headers = { origin, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/guest/${id}/redeem`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/; HttpOnly; .*SameSite=Strict$/);
  return cookie.split(';')[0] ?? '';
}

test('a guest is answered as the table says, and is nobody elsewhere', async ({ world }) => {
  const cookie = await guestCookie(world);
  const [name = '', secret = ''] = cookie.split('=');
  const { hub, actors } = world.cast;
  const actor = actors.find((one) => one.name === 'owner');
  if (!actor) throw new Error('cast: there is no owner');
  const said = new Map(rows.map(([id = '', cell = '']) => [id, cell.split('/')]));
  const expected: Record<string, string> = {};
  const answered: Record<string, string> = {};
  for (const { id } of world.operations) {
    if (FOR_NOBODY.includes(id)) continue;
    const [own = '401', other] = said.get(id) ?? [];
    for (const [account, status] of [[OWN, own], ...(other === undefined ? [] : [[OTHER, other]])] as const) {
      const { values } = await world.input(id, actor, account);
      const answer = await hub.call(cookie, requestOf(world.operation(id), values));
      expected[`${id}, ${account}`] = status;
      answered[`${id}, ${account}`] = String(answer.status);
    }
  }
  expect(answered).toEqual(expected);
  expect([...said.keys()].filter((id) => !world.operations.some((one) => one.id === id))).toEqual([]);
  // The secret is no session of a user, and no API token.
  for (const credential of [`${name.replace(/-guest$/, '')}=${secret}`, `wrn_${secret}`]) {
    expect((await hub.call(credential, { method: 'GET', path: '/auth/saml/getsession' })).status).toBe(401);
  }
});

test('a guest of a web service has that instead of sockets, and is nobody elsewhere too', async ({ world }) => {
  const cookie = await guestCookie(world, await webLink(world));
  const actor = world.cast.actors.find((one) => one.name === 'owner');
  if (!actor) throw new Error('cast: there is no owner');
  const expected: Record<string, string> = {};
  const answered: Record<string, string> = {};
  for (const [id = '', cell = '', web] of rows) {
    if (FOR_NOBODY.includes(id)) continue;
    const { values } = await world.input(id, actor, OWN);
    const answer = await world.cast.hub.call(cookie, requestOf(world.operation(id), values));
    expected[id] = (web ?? cell).split('/')[0] ?? '';
    answered[id] = String(answer.status);
  }
  expect(answered).toEqual(expected);
});

test('a guest is out when the account does not allow guest links any more', async ({ world }) => {
  const cookie = await guestCookie(world);
  const { hub } = world.cast;
  const path = `/api/accounts/${world.place(OWN).id}/access/rules`;
  const status = async () => (await hub.call(cookie, { method: 'GET', path: '/api/guest/session' })).status;
  expect(await status()).toBe(200);
  const boss = world.cast.cookie('superAdmin');
  const { approver_group_name: _name, ...rules } = await hub.must<Record<string, unknown>>(boss, 'GET', path);
  await hub.must(boss, 'PUT', path, { ...rules, guest_links: false });
  expect(await status()).toBe(401);
  await hub.must(boss, 'PUT', path, { ...rules, guest_links: true });
  expect(await status()).toBe(401);
  world.place(OWN).spend('guestLink');
});

test('a request of another site neither looks a link up nor redeems it', async ({ world }) => {
  const { id, secret } = await world.place(OWN).thing('guestLink');
  const { origin } = world.cast.hub;
  for (const path of [`/api/guest/${id}`, `/api/guest/${id}/redeem`]) {
    const body = JSON.stringify({ secret, ...(path.endsWith('redeem') && { name: 'Mallory', pin: '' }) });
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
    expect((await fetch(`${origin}${path}`, { method: 'POST', headers, body })).status).toBe(403);
  }
});
