import type { Page } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { getJson, socketToken, type SocketToken } from '../../support/api.ts';
import { person } from '../../support/people.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, measured, test } from '../../support/test.ts';

const ENDED_MS = 2_000;

/** Notes when the page's sockets are closed by the hub. */
function watchSockets(page: Page): () => number | undefined {
  let closed: number | undefined;
  page.on('websocket', (socket) => socket.on('close', () => (closed = performance.now())));
  return () => closed;
}

test('signing out in one tab ends the shell in another, which is there again for its person', async ({
  signedIn,
  warren,
}) => {
  const { id } = warren.facts.device;
  const page = await signedIn('superAdmin');
  const other = await page.context().newPage();
  const closedAt = watchSockets(other);
  const terminal = new TerminalPage(other);
  await terminal.openReady(id);
  await terminal.run('kept=42');
  await terminal.expectPrompt();

  const asked = page.waitForRequest('**/auth/saml/logout').then(() => performance.now());
  await new Shell(page).signOut();
  await expect.poll(closedAt).toBeDefined();
  const took = (closedAt() ?? 0) - (await asked);
  measured('from the request to log out to the end of the shell’s socket', took, 'ms');
  expect(took).toBeLessThan(ENDED_MS);
  // Not by itself: the identity provider may still know the person.
  await expect(other.getByRole('heading', { name: 'Your session has ended.' })).toBeVisible();
  await other.getByRole('link', { name: 'Sign in' }).click();
  await new SignInPage(other).choose(person('superAdmin').email);
  await terminal.expectState('connected');
  await terminal.run('echo "kept: $kept"');
  await terminal.expectLine('kept: 42');
});

test('an unused token opens nothing after the sign-out, nor does an open socket take anything more', async ({
  signedIn,
  warren,
}) => {
  const { hub, device } = warren.facts;
  const page = await signedIn('superAdmin');
  const open = await openSocket(hub, await socketToken(page.request, device.id));
  const ended = new Promise<number>((resolve) => open.once('disconnect', () => resolve(performance.now())));
  const unused: SocketToken = await socketToken(page.request, device.id);
  const { token, url } = await getJson<{ token: string; url: string }>(
    page.request,
    `/api/generate-token/${device.id}`,
  );
  expect(url).toContain(token);
  await page.request.get('/auth/saml/logout', { maxRedirects: 0 });
  const from = performance.now();
  expect((await ended) - from).toBeLessThan(ENDED_MS);
  for (const one of [unused.token, token])
    await expect(openSocket(hub, { ...unused, token: one })).rejects.toThrow('session has ended');
});

test('the live stream ends with the session', async ({ signedIn }) => {
  const page = await signedIn('member');
  await page.goto('/');
  const stream = await page.evaluateHandle(async () => {
    const source = new EventSource('/api/events');
    await new Promise((resolve) => (source.onopen = resolve));
    const ended = new Promise<number>((resolve) => {
      source.onerror = () => (source.close(), resolve(Date.now()));
    });
    return { ended };
  });
  await page.request.get('/auth/saml/logout', { maxRedirects: 0 });
  const from = Date.now();
  expect((await stream.evaluate(({ ended }) => ended)) - from).toBeLessThan(ENDED_MS);
});

test('the profile lists the sessions, signs one out, and then all', async ({ contexts, estate, warren }) => {
  const { email } = await estate.user('Ada Sessions');
  const [here, there] = [await contexts.page(), await contexts.page()];
  for (const page of [here, there]) {
    await page.goto('/auth/saml/login');
    await new SignInPage(page).type(email);
    await expect(new Shell(page).userMenu).toBeVisible();
  }
  await here.goto('/profile');
  const list = here.getByRole('region', { name: 'Sessions' });
  const rows = list.getByRole('listitem');
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
  const before = await rows.count();
  await expect(rows.first()).toContainText('Chrome on Linux');
  await expect(rows.first()).toContainText('127.0.0.1');

  // The newest is the other browser's.
  await rows
    .first()
    .getByRole('button', { name: /^Sign out of/ })
    .click();
  await expect(rows).toHaveCount(before - 1);
  expect((await there.request.get('/auth/saml/getsession')).status()).toBe(401);

  await there.goto('/auth/saml/login');
  await new SignInPage(there).type(email);
  await expect(new Shell(there).userMenu).toBeVisible();
  await list.getByRole('button', { name: 'Sign out everywhere' }).click();
  await here.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(here).toHaveURL(new URL('/auth/saml/signed-out', warren.facts.hub).href);
  for (const page of [here, there]) expect((await page.request.get('/auth/saml/getsession')).status()).toBe(401);
});
