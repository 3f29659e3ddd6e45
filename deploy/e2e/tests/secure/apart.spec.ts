import { withStoringFrames } from '../../support/framing.ts';
import { frameOf, plant, readable, sent, tabOf, tooMany } from '../../support/secure/planting.ts';
import { expect, test } from '../../support/secure/test.ts';

// As recommended: the devices have a separate registrable domain, so their pages in the console's frames are of another site.
const DEVICES = 'devices.localhost';
const HUB = 'https://hub.localhost';
test.use({ domain: DEVICES });

const FRAMED = { secure: true, sameSite: 'None', partitionKey: HUB };

test('a web service in a frame of another site keeps its cookies, partitioned, and they are not those of a tab', async ({
  enter,
  devices: { garden },
}) => {
  const page = await enter('member');
  const frame = await frameOf(page, garden);
  await expect(sent(frame)).toHaveText('');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(sent(frame)).toHaveText('sid=garden; theme=garden; wide=garden');
  expect(await readable(frame)).toBe('theme=garden; wide=garden');
  const [domain] = garden.address.split(':');
  const kept = (await page.context().cookies()).filter((cookie) => cookie.domain === domain);
  expect(kept.map(({ name }) => name.replace(/(set)-.*/, '$1')).toSorted()).toEqual(
    ['sid', 'theme', 'wide', ...Array<string>(3).fill('__Host-warren-set'), '__Host-warren-web'].toSorted(),
  );
  expect(kept).toEqual(kept.map(() => expect.objectContaining(FRAMED) as object));
  expect(kept.find(({ name }) => name === 'sid')).toMatchObject({ httpOnly: true });

  await expect(sent(await tabOf(page, garden))).toHaveText('');
  await page.reload();
  await expect(sent(page)).toHaveText('sid=garden; theme=garden; wide=garden');
});

test("one device's web service in a frame does not change another's cookies", async ({
  enter,
  devices: { garden, cellar },
}) => {
  const page = await enter('member');
  await frameOf(page, garden);
  const reach = `Path=/; Domain=${DEVICES}; Secure; SameSite=None; Partitioned`;
  const planted = ['sid', 'theme'].map((name) => `${name}=planted; ${reach}`);
  await plant(await frameOf(page, cellar), planted);
  expect(await page.context().cookies()).toContainEqual(
    expect.objectContaining({ ...FRAMED, name: 'sid', value: 'planted', domain: `.${DEVICES}` }),
  );
  await expect(sent(await frameOf(page, garden))).toHaveText('sid=garden; theme=garden; wide=garden');
});

test('cookies that fill every request of the devices: their frame says so, and its button has them deleted', async ({
  secure,
  devices: { garden, cellar },
  sessionOf,
  launchOptions,
}) => {
  const { cookies } = await sessionOf('member');
  const session = cookies.find(({ name }) => name === '__Host-warren');
  const cookie = `${session?.name}=${session?.value}`;
  const options = { ...launchOptions, ignoreHTTPSErrors: true };
  await withStoringFrames(options, { hub: secure.url, cookie }, async (context) => {
    const page = await context.newPage();
    await plant(await frameOf(page, cellar), tooMany(`Domain=${DEVICES}; Secure; SameSite=None`));
    await page.goto(`/device/web/${garden.address}`);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('heading', { name: 'Too many cookies' })).toBeVisible();
    await frame.getByRole('button', { name: 'Delete cookies' }).click();
    await expect(frame.getByRole('heading', { name: 'Cookies deleted' })).toBeVisible();
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['__Host-warren']);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(frame.getByRole('heading', { name: garden.name })).toBeVisible();
  });
});
