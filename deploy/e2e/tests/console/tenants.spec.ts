import { DevicesPage } from '../../pages/devices.ts';
import { device, devices } from '../../support/api.ts';
import type { Who } from '../../support/people.ts';
import { expect, test } from '../../support/test.ts';

const strangers: Who[] = ['otherMember', 'otherOwner'];

for (const who of strangers) {
  test(`the ${who === 'otherMember' ? 'Member' : 'Owner'} of another account gets nothing of the device by the API`, async ({
    enter,
    warren,
  }) => {
    const { id, account } = warren.facts.device;
    const { serial } = await device((await enter('member')).request, id);
    const { request } = await enter(who);
    const list = await devices(request, 'limit=200');
    expect(list.devices.map((one) => one.account.id)).not.toContain(account);
    expect(list.devices.map((one) => one.id)).not.toContain(id);
    expect((await devices(request, `search=${serial.slice(0, 20)}`)).devices.map((one) => one.id)).not.toContain(id);
    // A device of one's own may have the same serial: another agent on the same machine.
    const twin = await request.get(`/api/devices/serial/${encodeURIComponent(serial)}`);
    expect([200, 404]).toContain(twin.status());
    expect(await twin.text()).not.toContain(id);
    expect(await twin.text()).not.toContain(account);
    const paths = [
      `/api/devices/${id}`,
      `/api/get-socket-token/${id}`,
      `/api/get-socket-token/${id}?purpose=terminal`,
      `/api/get-socket-token/${id}?purpose=desktop`,
      `/socketsio/get_device_info/${id}`,
      `/api/devices?account=${account}`,
    ];
    for (const path of paths) {
      const response = await request.get(path);
      expect(response.status(), path).toBe(404);
      expect(await response.json(), path).toMatchObject({ statusCode: 404, code: 'not_found' });
    }
  });
}

test('what is not there and what is not yours answer the same', async ({ enter, warren }) => {
  const { request } = await enter('otherMember');
  const { id } = warren.facts.device;
  const nowhere = crypto.randomUUID();
  const answers = await Promise.all(
    [id, nowhere].map(async (one) => {
      const response = await request.get(`/api/devices/${one}`);
      return { status: response.status(), body: (await response.text()).replaceAll(one, 'ID') };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
});

test('a Member of another account sees nothing of the device by page', async ({ warren, enter }) => {
  const { id, account } = warren.facts.device;
  const name = (await device((await enter('member')).request, id)).name;
  const page = await enter('otherMember');
  const list = new DevicesPage(page);
  await list.open(warren.account('Harbour Lab'));
  await expect(list.heading).toHaveText('Harbour Lab Account / Devices list');
  await list.search.fill(name);
  await expect(page).toHaveURL(/search=/);
  await expect(page.locator(`a[href="/device/ssh/${id}"]`)).toHaveCount(0);

  await page.goto(`/device/ssh/${id}`);
  await expect(page.getByRole('alert')).toContainText('Failed to fetch device details');
  await expect(page.locator('.xterm')).toHaveCount(0);
  await expect(page.getByText(name, { exact: true })).toHaveCount(0);

  await page.goto(`/devices/${account}`);
  await expect(page).toHaveURL('/');
});

test('an Owner makes enrolment tokens for the own account alone, a Member for none', async ({ enter, warren }) => {
  const make = async (who: Who, account: string) => {
    const { request } = await enter(who);
    const headers = { origin: warren.facts.hub };
    return (await request.post('/api/enrolment_tokens', { headers, data: { account, devices: 1 } })).status();
  };
  const { account } = warren.facts.device;
  expect(await make('otherOwner', account)).toBe(404);
  expect(await make('otherMember', account)).toBe(404);
  expect(await make('member', account)).toBe(403);
  expect(await make('admin', account)).toBe(403);
  expect(await make('operatorAdmin', account)).toBe(403);
  expect(await make('owner', account)).toBe(201);
});
