import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from '@warren/doctor/finding';
import { databaseServices } from '@warren/infra/provision';
import { keptSecrets } from '@warren/local/secrets';
import { defaultPorts, places, root } from '@warren/local/settings';
import { busCredentials } from '@warren/local/steps/bus';
import type { Facts } from '../../stack/facts.ts';
import { expect, test } from '../../support/test.ts';

const run = promisify(execFile);

/** What the copy's services have been given. */
async function environment(facts: Facts): Promise<NodeJS.ProcessEnv> {
  const secrets = await keptSecrets(places(facts.home).secrets, databaseServices);
  const databases = databaseServices.map((service) => {
    const url = new URL(facts.database);
    url.username = `warren_${service}`;
    url.password = secrets[service] ?? '';
    return [`${service.toUpperCase()}_DATABASE_URL`, url.href];
  });
  return {
    ...process.env,
    HUB_URL: facts.hub,
    DEVICE_DOMAIN: `devices.${new URL(facts.hub).host}`,
    SAML_PROVIDERS: JSON.stringify([{ id: 'default', metadata: places(facts.home).metadata }]),
    REDIS_URL: facts.redis,
    NATS_URL: facts.nats,
    // As far from the page that shows mails as ever.
    SMTP_URL: `smtp://127.0.0.1:${Number(new URL(facts.mail).port) + defaultPorts.smtp - defaultPorts.mail}`,
    MAIL_FROM: 'hub@nobody.invalid',
    ...busCredentials(facts.bus, 'doctor'),
    ...(Object.fromEntries(databases) as NodeJS.ProcessEnv),
  };
}

const doctor = async (env: NodeJS.ProcessEnv, ...flags: string[]) => {
  const args = [join(root, 'deploy/doctor/src/main.ts'), ...flags];
  const ended = await run(process.execPath, args, { env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: 'code' in ended ? ended.code : 0, stdout: ended.stdout, stderr: ended.stderr };
};

test('the doctor finds a running copy in order, but for its plain http and its sender', async ({ warren }) => {
  const env = await environment(warren.facts);
  const { code, stdout } = await doctor(env, '--json');
  const found = JSON.parse(stdout) as Finding[];
  expect(found.filter(({ status }) => status !== 'ok').map(({ status, check }) => `${status} ${check}`)).toEqual([
    'warn tls',
    'warn mail',
  ]);
  expect(found.find(({ check }) => check === 'mail')).toMatchObject({ status: 'ok' });
  expect(code).toBe(0);
  const checks = ['dns', 'hub', 'mail', 'nats', 'postgres', 'redis', 'saml', 'sites', 'tls', 'upgrade'];
  expect([...new Set(found.map(({ check }) => check))].sort()).toEqual(checks);
});

test('the doctor names a service that is gone, what to do, and ends with 1', async ({ warren }) => {
  const process = warren.facts.runs['devices'] ?? 'devices';
  await warren.hold(process);
  const { code, stdout } = await doctor(await environment(warren.facts));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail {2}nats +devices does not answer\n +See the log and \/readyz of devices/m);
  await warren.start(process);
  await warren.ready(process);
});

test('the doctor asks for what it needs, and ends with 2', async () => {
  const { code, stderr } = await doctor({ PATH: process.env['PATH'] });
  expect([code, stderr.split('\n', 1)[0]]).toEqual([2, expect.stringContaining('HUB_URL: expected')]);
});
