import { Shell } from '../../pages/shell.ts';
import { signIn, SignInPage } from '../../pages/sign-in.ts';
import { query } from '../../support/database.ts';
import { everybody, person } from '../../support/people.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

for (const who of everybody) {
  const { email, name, role, account } = person(who);
  test(
    `${role} of ${account} signs in through the SAML forms`,
    soakBut('superAdmin', 'member')(who),
    async ({ signedIn }) => {
      const page = await signedIn(who);
      const { userMenu } = new Shell(page);
      await expect(userMenu).toHaveAccessibleName(`Your menu: ${name}`);
      await userMenu.click();
      const menu = page.getByRole('menu');
      await expect(menu.getByText(email)).toBeVisible();
      await expect(menu.getByText(`${role} · ${account}`)).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText(account);
    },
  );
}

test('comes back to the address that was asked for', async ({ page, warren }) => {
  await page.goto(`/devices/${warren.facts.device.account}?sort=name`);
  await new SignInPage(page).choose(person('member').email);
  await expect(page).toHaveURL(`/devices/${warren.facts.device.account}?sort=name`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meadow Farms Account / Devices list');
});

test('an e-mail counts in whatever case', async ({ page }) => {
  await page.goto('/');
  await new SignInPage(page).type(person('member').email.toUpperCase());
  await expect(new Shell(page).userMenu).toHaveAccessibleName(`Your menu: ${person('member').name}`);
});

test('an e-mail that no user has ends at /account_issue', async ({ page }) => {
  await page.goto('/');
  await new SignInPage(page).type('nobody@elsewhere.example');
  await expect(page).toHaveURL('/account_issue');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/nobody/i);
  await expect(page.getByRole('main')).toContainText(
    "You are not associated with any account or you don't have any role set. Please contact your administrator.",
  );
  const refused = await page.request.get('/api/devices');
  expect(refused.status()).toBe(403);
  expect(await refused.json()).toMatchObject({ statusCode: 403, code: 'account_issue' });
  await page.goto('/devices');
  await expect(page).toHaveURL('/account_issue');
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/auth/saml/signed-out');
});

test('a disabled user ends at /account_disable', async ({ page, warren }) => {
  const { email } = person('admin');
  const setStatus = (status: string) =>
    query(warren.facts.database, 'UPDATE tenancy.users SET status = $1 WHERE email = $2 RETURNING id', [status, email]);
  expect(await setStatus('Inactive')).toHaveLength(1);
  try {
    await page.goto('/');
    await new SignInPage(page).choose(email);
    await expect(page).toHaveURL('/account_disable');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(person('admin').name);
    await expect(page.getByRole('main')).toContainText(
      'Your account has been deactived or disabled. if you belive this is a mistake please contact administrator.',
    );
    const refused = await page.request.get('/api/devices');
    expect(refused.status()).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'account_disable' });
  } finally {
    await setStatus('Active');
  }
});

test('signing out ends the session at the hub and does not sign in again by itself', async ({ signedIn }) => {
  const page = await signedIn('member');
  const before = await page.context().cookies();
  await new Shell(page).signOut();
  await expect(page).toHaveURL('/auth/saml/signed-out');
  await page.context().addCookies(before);
  expect((await page.request.get('/auth/saml/getsession')).status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(new SignInPage(page).heading).toBeVisible();
});

test('the session is an opaque id in a cookie that scripts and other sites do not get', async ({
  signedIn,
  page,
  warren,
}) => {
  await page.goto('/');
  const inside = await signedIn('member');
  const [cookie, ...others] = await inside.context().cookies(warren.facts.hub);
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ name: 'warren', httpOnly: true, sameSite: 'Lax', path: '/', secure: false });
  expect(cookie?.domain).toBe('localhost');
  expect(cookie?.value).toMatch(/^[\w-]{43}$/);
  expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000);
  expect(await inside.evaluate(() => document.cookie)).toBe('');
});

test('each sign-in makes a new session and ends the one before', async ({ signedIn, warren, playwright }) => {
  const page = await signedIn('member');
  const [first] = await page.context().cookies(warren.facts.hub);
  await page.goto('/auth/saml/login');
  await new SignInPage(page).choose(person('owner').email);
  await expect(new Shell(page).userMenu).toHaveAccessibleName(`Your menu: ${person('owner').name}`);
  const [second] = await page.context().cookies(warren.facts.hub);
  expect(second?.value).not.toBe(first?.value);
  const old = await playwright.request.newContext({
    baseURL: warren.facts.hub,
    extraHTTPHeaders: { cookie: `warren=${first?.value}` },
  });
  expect((await old.get('/auth/saml/getsession')).status()).toBe(401);
  await old.dispose();
});

test('an address that is nothing shows the 404 page with the way home', async ({ page }) => {
  await signIn(page, person('member').email);
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("UH OH! You're lost.");
  await page.getByRole('link', { name: 'HOME' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
});
