import type { APIRequestContext } from '@playwright/test';
import { getJson, socketToken } from '../../support/api.ts';
import { person } from '../../support/people.ts';
import { askProvider, postAnswer } from '../../support/saml.ts';
import { Shell } from '../../pages/shell.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, test } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';
import { WireTerminal } from '../../support/wire.ts';

/** How soon a right that is withdrawn must be gone. */
const WITHIN_MS = 2_000;

interface Mails {
  messages: { text: string }[];
}

/** Invites an unused e-mail, and returns the link that the mail carries. */
async function invite(manager: APIRequestContext, { facts }: Warren, email: string): Promise<Record<string, string>> {
  const data = { emails: [email], groups: ['Members'], account: facts.device.account };
  const sent = await manager.post('/api/send_invitation', { data, headers: { origin: facts.hub } });
  expect(sent.status(), await sent.text()).toBe(200);
  const box = () => getJson<Mails>(manager, `${facts.mail}/api/messages?to=${encodeURIComponent(email)}`);
  await expect.poll(async () => (await box()).messages.length).toBe(1);
  const query = /\/accept_invitation\?(\S+)/.exec((await box()).messages[0]?.text ?? '')?.[1];
  return Object.fromEntries(new URLSearchParams(query));
}

for (const what of ['disabled', 'deleted'] as const) {
  test(`an invited person gets in, and loses access within two seconds when ${what}`, async ({
    playwright,
    warren,
  }) => {
    const { hub, device } = warren.facts;
    const headers = { origin: hub };
    const [manager, guest] = [
      await playwright.request.newContext({ baseURL: hub }),
      await playwright.request.newContext({ baseURL: hub }),
    ];
    await postAnswer(manager, await askProvider(manager, person('owner').email));
    const email = `${what}-${Date.now()}@meadow.example`;
    const link = await invite(manager, warren, email);

    await postAnswer(guest, await askProvider(guest, email));
    expect(await getJson(guest, '/auth/saml/getsession')).toMatchObject({ need_accept: 'Yes' });
    const accepted = await guest.post('/api/accept_invitation', { data: link, headers });
    expect(accepted.status(), await accepted.text()).toBe(200);
    const { user } = (await accepted.json()) as { user: string };
    expect(await getJson(guest, '/auth/saml/getsession')).toMatchObject({ need_accept: 'No', user });

    const token = await socketToken(guest, device.id);
    const socket = await openSocket(hub, token);
    const terminal = await WireTerminal.open(socket, token);
    terminal.type('echo here-$((6*7))\n');
    await terminal.until('here-42');

    const gone = new Promise<number>((resolve) => socket.once('disconnect', () => resolve(Date.now())));
    const path = `/api/users/${user}`;
    const done =
      what === 'deleted'
        ? await manager.delete(path, { headers })
        : await manager.patch(path, { headers, data: { status: 'Inactive' } });
    const withdrawn = Date.now();
    expect(done.status(), await done.text()).toBe(200);
    expect((await gone) - withdrawn).toBeLessThan(WITHIN_MS);
    await expect
      .poll(async () => (await guest.get('/auth/saml/getsession')).status(), { timeout: WITHIN_MS, intervals: [50] })
      .toBe(401);
    expect(Date.now() - withdrawn).toBeLessThan(2 * WITHIN_MS);
    await Promise.all([manager.dispose(), guest.dispose()]);
  });
}

test('a signed-in person accepts an invitation without the link of its mail', async ({
  playwright,
  contexts,
  warren,
}) => {
  const { hub } = warren.facts;
  const manager = await playwright.request.newContext({ baseURL: hub });
  await postAnswer(manager, await askProvider(manager, person('owner').email));
  const email = `without-link-${Date.now()}@meadow.example`;
  await invite(manager, warren, email);

  const page = await contexts.page();
  await postAnswer(page.request, await askProvider(page.request, email));
  await page.goto(hub);
  await page.getByRole('button', { name: 'Accept invitation to' }).click();
  await expect(page).toHaveURL(`${hub}/`);
  await expect(new Shell(page).userMenu).toBeVisible();
  await manager.dispose();
});
