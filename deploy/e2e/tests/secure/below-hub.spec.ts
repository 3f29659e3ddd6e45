import { person } from '../../support/people.ts';
import { SignInPage } from '../../pages/sign-in.ts';
import { frameOf, plant, readable, sent, tabOf, tooMany } from '../../support/secure/planting.ts';
import { expect, test } from '../../support/secure/test.ts';
import { SOAK } from '../../support/soak.ts';

// Device pages below the hub's own host share its registrable domain: their scripts may set cookies for both.
const HUB = 'hub.localhost';
const DEVICES = 'devices.hub.localhost';
const SESSION = { name: '__Host-warren', domain: HUB, path: '/', httpOnly: true, secure: true, sameSite: 'Lax' };

test(
  'a session over https is a __Host- cookie that no script reads and no other host gets',
  SOAK,
  async ({ enter }) => {
    const page = await enter(null);
    const provider = new SignInPage(page);
    await page.goto('/');
    await expect(provider.heading).toBeVisible();
    const began = { ...SESSION, name: '__Host-warren-sign-in', sameSite: 'None' };
    expect(await page.context().cookies()).toEqual([expect.objectContaining(began)]);
    await provider.choose(person('member').email);
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    expect(await page.context().cookies()).toContainEqual(expect.objectContaining(SESSION));
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  },
);

test(
  'a web service keeps its cookies in the frame, for its own host alone, with a proof beside each',
  SOAK,
  async ({ enter, devices: { garden } }) => {
    const page = await enter('member');
    const frame = await frameOf(page, garden);
    await expect(sent(frame)).toHaveText('');
    const own = 'sid=garden; theme=garden; wide=garden';
    await frame.locator('body').evaluate((body) => body.ownerDocument.location.reload());
    await expect(sent(frame)).toHaveText(own);
    const again = page.waitForResponse(garden.url);
    await page.getByRole('button', { name: 'Reload' }).click();
    expect((await again).status()).toBe(200);
    await expect(sent(frame)).toHaveText(own);
    expect(await readable(frame)).toBe('theme=garden; wide=garden');

    const [domain] = garden.address.split(':');
    const kept = (await page.context().cookies()).filter((cookie) => cookie.domain !== HUB);
    expect(kept.map((cookie) => cookie.domain)).toEqual(kept.map(() => domain));
    const at = (name: string) => kept.find((cookie) => cookie.name === name);
    expect(at('sid')).toMatchObject({ httpOnly: true, sameSite: 'Strict', expires: -1 });
    expect(at('theme')).toMatchObject({ httpOnly: false });
    expect(at('sid')?.partitionKey).toBeUndefined();
    const guarded = { httpOnly: true, secure: true, path: '/' };
    expect(at('__Host-warren-web')).toMatchObject({ ...guarded, sameSite: 'None', partitionKey: `https://${HUB}` });
    const proofs = kept.filter(({ name }) => name.startsWith('__Host-warren-set-'));
    expect(proofs).toEqual(proofs.map(() => expect.objectContaining({ ...guarded, sameSite: 'Lax' }) as object));
    // Of the same lifetime.
    expect(proofs.map(({ expires }) => expires > 0)).toEqual([false, true, false]);
  },
);

test(
  "a device's cookies for the parent domain: no session of the hub, and no lock-out",
  SOAK,
  async ({ enter, devices }) => {
    const page = await enter('member');
    const home = page.getByRole('heading', { level: 1, name: 'Home' });
    const secret = 'S'.repeat(43);
    const wide = `Path=/; Domain=${HUB}`;
    const tab = await tabOf(page, devices.cellar);
    await plant(tab, [`__Host-warren=${secret}; Secure; ${wide}`, `warren=${secret}; ${wide}`]);
    await page.goto('/');
    await expect(home).toBeVisible();
    expect((await page.context().cookies()).filter(({ value }) => value === secret)).toEqual([
      expect.objectContaining({ name: 'warren', domain: `.${HUB}` }),
    ]);

    await plant(await tabOf(page, devices.cellar), tooMany(`Domain=${HUB}`));
    const refused = await page.goto('/');
    expect(refused?.status()).toBe(431);
    await expect(page.getByRole('heading', { name: 'Too many cookies' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete cookies' }).click();
    await expect(page.getByRole('heading', { name: 'Cookies deleted' })).toBeVisible();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await new SignInPage(page).choose(person('member').email);
    await expect(home).toBeVisible();
  },
);

test("one device neither sees nor changes another's cookies", SOAK, async ({ enter, devices: { garden, cellar } }) => {
  const page = await enter('member');
  await tabOf(page, garden);
  const tab = await tabOf(page, cellar);
  await expect(sent(tab)).toHaveText('');
  expect(await readable(tab)).toBe('theme=cellar; wide=cellar');
  await plant(
    tab,
    [DEVICES, HUB].flatMap((domain) => [
      ...['sid', 'theme'].map((name) => `${name}=planted; Path=/; Domain=${domain}`),
      `__Host-warren-set-sid=planted; Path=/; Secure; Domain=${domain}`,
    ]),
  );
  const planted = (await page.context().cookies()).filter(({ value }) => value === 'planted');
  expect(planted.map(({ name, domain }) => `${name} ${domain}`).toSorted()).toEqual(
    ['sid', 'theme'].flatMap((name) => [`${name} .${DEVICES}`, `${name} .${HUB}`]),
  );
  await expect(sent(await tabOf(page, garden))).toHaveText('sid=garden; theme=garden; wide=garden');
  await expect(sent(await tabOf(page, cellar))).toHaveText('sid=cellar; theme=cellar; wide=cellar');

  // Where the garden has set nothing yet, what it sets as HttpOnly is known all the same.
  const other = await enter('admin');
  await plant(await tabOf(other, cellar), [`sid=planted; Path=/; Domain=${DEVICES}`]);
  await expect(sent(await tabOf(other, garden))).toHaveText('');
});
