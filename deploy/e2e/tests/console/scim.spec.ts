import { request } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import { Dialog } from '../../pages/dialog.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { getJson } from '../../support/api.ts';
import { connectPumpHouse } from '../../support/connected.ts';
import { expect, measured, test } from '../../support/test.ts';

const PROMISED_MS = 2_000;
const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0';
const patch = (...operations: object[]) => ({
  data: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations },
});

test('an identity provider creates users at a verified domain, groups and disables one, whose terminal ends, until its token is revoked', async ({
  as,
  enter,
  estate,
  warren,
}) => {
  test.setTimeout(240_000);
  const { hub } = warren.facts;
  const owner = await estate.owner('Olga Reed');
  const page = await enter(owner.email);
  const domain = `${randomBytes(4).toString('hex')}.orchard.example`;
  await page.goto(`/domains/${estate.id}`);
  await page.getByRole('button', { name: 'Add domain' }).click();
  const adding = new Dialog(page, 'Add domain');
  await adding.root.getByRole('textbox', { name: 'Domain' }).fill(domain);
  await adding.confirm('Add domain');
  await expect(page.getByText(`_warren-challenge.${domain}`)).toBeVisible();
  await page.goto(`/scim/${estate.id}`);
  await expect(page.getByText(`${hub}/scim/v2`)).toBeVisible();
  await page.getByRole('button', { name: 'New SCIM token' }).click();
  const form = new Dialog(page, 'New SCIM token');
  await form.root.getByRole('textbox', { name: 'Name' }).fill('Entra ID');
  await form.confirm('Create token');
  const secret = (await page.getByRole('dialog').getByText(/^wrn_/).textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  const api = await request.newContext({
    baseURL: `${hub}/scim/v2/`,
    extraHTTPHeaders: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
  });

  const email = `uma@${domain}`;
  const create = (userName: string) =>
    api.post('Users', {
      data: { schemas: [`${SCHEMAS}:User`], userName, name: { givenName: 'Uma', familyName: 'Li' } },
    });
  expect((await create(email)).status()).toBe(403);
  const operator = await as('superAdmin');
  await operator.goto(`/domains/${estate.id}`);
  await operator.getByRole('button', { name: `Confirm ${domain}` }).click();
  await new Dialog(operator, 'Confirm domain').confirm('Confirm domain');
  await expect(operator.getByText('Verified', { exact: true })).toBeVisible();
  expect((await create('uma@elsewhere.example')).status()).toBe(403);
  const made = await create(email);
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: string };
  expect((await create(email)).status()).toBe(409);
  const data = { schemas: [`${SCHEMAS}:Group`], displayName: 'Harvest' };
  const group = (await (await api.post('Groups', { data })).json()) as { id: string };
  const member = { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] };
  expect((await api.patch(`Groups/${group.id}`, patch(member))).status()).toBe(204);

  const theirs = await enter(email);
  const seen = async () => (await theirs.request.get('/api/devices')).status();
  expect(await seen()).toBe(200);
  await page.goto(`/groups/${estate.id}/${group.id}`);
  await expect(page.getByRole('heading', { name: 'Harvest' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Uma Li');
  const { agent, id: device } = await connectPumpHouse(operator.request, hub, estate);
  try {
    const terminal = new TerminalPage(theirs);
    await terminal.openReady(device);
    const disable = patch({ op: 'Replace', path: 'active', value: 'False' });
    expect((await api.patch(`Users/${id}`, disable)).status()).toBe(200);
    const from = performance.now();
    const isOver = expect(theirs.locator('[role=status][data-state=connected]')).toHaveCount(0, {
      timeout: PROMISED_MS,
    });
    await Promise.all([
      isOver.then(() => measured('an open terminal ends after SCIM', performance.now() - from, 'ms')),
      expect.poll(seen, { intervals: [50], timeout: PROMISED_MS }).toBeGreaterThanOrEqual(401),
    ]);
    measured('from disabling a user by SCIM to the end of session and terminal', performance.now() - from, 'ms');
    const closed = async () => {
      const path = `/api/audit/events?account=${estate.id}&action=terminal.close`;
      const { events } = await getJson<{ events: { details: { ended: string } }[] }>(operator.request, path);
      return events.map(({ details }) => details.ended);
    };
    await expect.poll(closed).toEqual([expect.stringMatching(/^(withdrawn|signed_out)$/)]);
  } finally {
    await agent.remove();
  }

  await page.goto(`/scim/${estate.id}`);
  await page.getByRole('button', { name: 'Revoke Entra ID' }).click();
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await new Dialog(page, 'Revoke SCIM token').confirm('Revoke SCIM token');
  await answered;
  expect((await api.get('Users')).status()).toBe(401);
  await expect(page.getByText('No SCIM tokens')).toBeVisible();
  await api.dispose();
  await expect(async () => {
    await page.goto(`/audit?${new URLSearchParams({ search: 'Harvest' })}`);
    await expect(page.getByRole('listitem').filter({ hasText: 'Create group' }).first()).toBeVisible({
      timeout: 5_000,
    });
  }).toPass({ timeout: 30_000 });
});
