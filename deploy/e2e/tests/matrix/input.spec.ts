import { faultOf, faultOfBody } from '../../support/matrix/judge.ts';
import { Logs } from '../../support/matrix/logs.ts';
import type { Field } from '../../support/matrix/openapi.ts';
import { mark } from '../../support/matrix/bodies.ts';
import { readTable } from '../../support/matrix/table.ts';
import { addressValues, bodies, bodyValues, type Value } from '../../support/matrix/values.ts';
import { long } from '../../support/soak.ts';
import { expect, requestOf, test, type World } from '../../support/matrix/world.ts';
import { table } from './operations.table.ts';

const ids = [...new Set(readTable(table).map(({ name }) => name.replace(/:.*/, '')))];
const account = 'Meadow Farms';
/** Each field gets one in so many of the values, the next field their neighbours, so that an operation gets most; all in `make soak`. */
const ONE_IN = long ? 1 : 3;

/** Each operation with a right input, but for one field. */
async function tryValue(world: World, id: string, field: Field, { value }: Value): Promise<string | undefined> {
  const [superAdmin] = world.cast.actors;
  if (!superAdmin) throw new Error('the cast is empty');
  const { values, spends } = await world.input(id, superAdmin, account);
  const request = requestOf(world.operation(id), { ...values, [field.name]: value });
  const answer = await world.cast.hub.call(superAdmin.cookie, request);
  if (spends && answer.status < 300) world.place(account).spend(spends);
  return faultOf(field, value, answer);
}

for (const id of ids) {
  test(`${id}: bad values are refused by name`, async ({ world }) => {
    const operation = world.operation(id);
    const logs = await Logs.from(world.warren.facts.home);
    const faults: string[] = [];
    for (const [at, field] of operation.fields.entries()) {
      const values = field.in === 'body' ? bodyValues : addressValues(field.in);
      for (const value of values.filter((_, index) => (index + at + ids.indexOf(id)) % ONE_IN === 0)) {
        const fault = await tryValue(world, id, field, value);
        if (fault) faults.push(`${field.in} ${field.name}, ${value.name}: ${fault}`);
      }
    }
    for (const [name, body] of operation.hasBody ? Object.entries(bodies) : []) {
      const { method, path } = requestOf(operation, {});
      const fault = faultOfBody(await world.cast.hub.call(world.cast.cookie('superAdmin'), { method, path, body }));
      if (fault && !(method === 'PATCH' && name === 'nothing')) faults.push(`body, ${name}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(await logs.errors([...new Set(Object.values(world.warren.facts.runs))])).toEqual([]);
  });
}

const texts = [
  '👩‍🚀 🦫',
  "O'Neil",
  "'; DROP TABLE users; --",
  '<img src=x onerror=alert(1)>',
  'مرحبا',
  '{{7*7}}',
  '%_\\',
];

test('legal text of people is kept as it is', async ({ world }) => {
  const { hub } = world.cast;
  const cookie = world.cast.cookie('otherMember');
  const before = await hub.must<{ name: string }>(cookie, 'GET', '/auth/saml/getsession');
  for (const name of texts) {
    await hub.must(cookie, 'PATCH', '/api/profile', { name });
    expect((await hub.must<{ name: string }>(cookie, 'GET', '/auth/saml/getsession')).name).toBe(name);
  }
  await hub.must(cookie, 'PATCH', '/api/profile', { name: before.name });
});

test('legal text of devices is kept, found by search, and shown as text', async ({ world, browser }) => {
  const { hub } = world.cast;
  const cookie = world.cast.cookie('superAdmin');
  const { id } = await world.place(account).thing('device');
  type Result = { result: { custom_name: string } };
  type List = { devices: { id: string }[] };
  for (const text of texts.filter((one) => !one.includes('\u200d'))) {
    const name = `${text} ${mark()}`;
    await hub.must(cookie, 'PUT', '/api/devices/change_hostname', { id, custom_name: name });
    expect((await hub.must<Result>(cookie, 'GET', `/api/devices/${id}`)).result.custom_name).toBe(name);
    const found = await hub.must<List>(cookie, 'GET', `/api/devices?search=${encodeURIComponent(name)}`);
    expect(found.devices.map((device) => device.id)).toEqual([id]);
  }
  const markup = `<img src=x onerror="document.title='broken'"> ${mark()}`;
  await hub.must(cookie, 'PUT', '/api/devices/change_hostname', { id, custom_name: markup });
  const context = await browser.newContext();
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: hub.origin }]);
  const page = await context.newPage();
  await page.goto(`${hub.origin}/devices?search=${encodeURIComponent(markup)}`);
  await expect(page.getByText(markup, { exact: true }).first()).toBeVisible();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  await context.close();
});
