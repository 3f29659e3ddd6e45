import { openSocket } from '../../support/socket.ts';
import { device, socketToken } from '../../support/api.ts';
import { person } from '../../support/people.ts';
import { askProvider, postAnswer } from '../../support/saml.ts';
import { SignInPage } from '../../pages/sign-in.ts';
import { expect, test } from '../../support/test.ts';

test('without a session every call is refused', async ({ request, warren }) => {
  const { id, account } = warren.facts.device;
  const paths = [
    '/auth/saml/getsession',
    '/api/accounts',
    '/api/groups',
    '/api/users',
    '/api/home',
    '/api/devices',
    `/api/devices?account=${account}`,
    `/api/devices/${id}`,
    '/api/devices/serial/anything',
    `/api/get-socket-token/${id}`,
    `/socketsio/get_device_info/${id}`,
    '/server/get_workspace',
    '/api/events',
  ];
  for (const path of paths) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(401);
    expect(await response.json(), path).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
  }
  const made = await request.post('/api/enrolment_tokens', {
    headers: { origin: warren.facts.hub },
    data: { account, devices: 1 },
  });
  expect(made.status()).toBe(401);
});

test('the description of the API is shown, though the pages run no inline scripts', async ({ enter, warren }) => {
  const page = await enter('member');
  await page.goto(`${warren.facts.hub}/api/docs`);
  // A busy machine takes its time to read two megabytes of description.
  await page.getByRole('link', { name: 'devices', exact: true }).click({ timeout: 120_000 });
  await expect(page.locator('#operations-devices-listDevices')).toBeVisible();
});

test('a state-changing call from another origin is refused, whatever cookie it carries', async ({
  signedIn,
  warren,
}) => {
  const { request } = await signedIn('superAdmin');
  const data = { account: warren.facts.device.account, devices: 1 };
  const refused: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: warren.facts.hub.replace('http:', 'https:') },
    { origin: warren.facts.hub.replace('localhost', 'web.devices.localhost') },
    { 'sec-fetch-site': 'same-site' },
    {},
  ];
  for (const headers of refused) {
    const response = await request.post('/api/enrolment_tokens', { headers, data });
    expect(response.status(), JSON.stringify(headers)).toBe(403);
  }
  const own = await request.post('/api/enrolment_tokens', { headers: { origin: warren.facts.hub }, data });
  expect(own.status()).toBe(201);
});

for (const target of [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '/%5cevil.example',
  'javascript:alert(1)',
]) {
  test(`sign-in does not lead to ${target}`, async ({ page, warren }) => {
    await page.goto(`/auth/saml/login?RelayState=${encodeURIComponent(target)}`);
    await new SignInPage(page).choose(person('member').email);
    await expect(page.getByRole('heading', { level: 1, name: /^Home$|lost/ })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(warren.facts.hub);
  });
}

test('an answer of the identity provider counts once, and never leads to another host', async ({ request, warren }) => {
  const answer = await askProvider(request, person('member').email);
  const first = await postAnswer(request, { ...answer, RelayState: 'https://evil.example/' });
  expect([302, 303]).toContain(first.status());
  expect(new URL(first.headers()['location'] ?? '', warren.facts.hub).origin).toBe(warren.facts.hub);
  expect(first.headers()['set-cookie']).toContain('warren=');

  const again = await postAnswer(request, answer);
  expect(again.status()).toBeGreaterThanOrEqual(400);
  expect(again.headers()['set-cookie'] ?? '').not.toMatch(/warren=[\w-]{43}/);
});

test('an answer whose assertion was changed is refused', async ({ request }) => {
  const answer = await askProvider(request, person('member').email);
  const xml = Buffer.from(answer.SAMLResponse, 'base64').toString();
  const forged = xml.replaceAll(person('member').email, person('superAdmin').email);
  expect(forged).not.toBe(xml);
  const response = await postAnswer(request, { ...answer, SAMLResponse: Buffer.from(forged).toString('base64') });
  expect(response.status()).toBeGreaterThanOrEqual(400);
  expect(response.headers()['set-cookie'] ?? '').not.toMatch(/warren=[\w-]{43}/);
});

test('a socket token opens one socket, for its user and from the hub alone', async ({ signedIn, warren }) => {
  const { request } = await signedIn('member');
  const { hub, device: own } = warren.facts;
  const token = await socketToken(request, own.id);
  expect(token.device_name).toBe((await device(request, own.id)).name);
  const socket = await openSocket(hub, token);
  await expect(openSocket(hub, token)).rejects.toThrow();
  socket.disconnect();

  const forMe = await socketToken(request, own.id);
  await expect(openSocket(hub, { ...forMe, user_id: crypto.randomUUID() })).rejects.toThrow();
  await expect(openSocket(hub, await socketToken(request, own.id), 'http://evil.example')).rejects.toThrow();
  await expect(openSocket(hub, { token: 'x'.repeat(43), user_id: token.user_id })).rejects.toThrow();
});

test('the installer answers a bad token with a script that says so and fails', async ({ request, warren }) => {
  const { account } = warren.facts.device;
  // An error's body would not reach the shell that the installer is piped into.
  for (const [path, status] of [
    [`/install/${account}`, 401],
    [`/install/${account}?token=wrong`, 200],
    [`/install/${crypto.randomUUID()}?token=x`, 200],
  ] as const) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(status);
    expect(response.headers()['content-type']).toContain('text/x-shellscript');
    expect(await response.text()).toContain('exit 77');
  }
});
