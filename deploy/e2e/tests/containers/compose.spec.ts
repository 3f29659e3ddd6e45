import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { test, type BrowserContext } from '@playwright/test';
import { blocksOf, runbooks } from '@warren/observability/runbooks';
import { signIn } from '../../pages/sign-in.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { device, devices, getJson } from '../../support/api.ts';
import { useFirst } from '../../support/containers/first.use.ts';
import { FROM, makeServers, makeWarren, NAMING } from '../../support/containers/images.ts';
import { DEVICES, FILES_OF, Installation, OPERATOR } from '../../support/containers/installation.ts';
import { serveTunnel } from '../../support/containers/tunnel.ts';
import { canCarryMachines, Engine } from '../../support/engine.ts';
import { Machine } from '../../support/machine.ts';
import { CountedOutput, CountedTyping } from '../../support/rig.ts';
import { SurvivingTerminal } from '../../support/surviving.ts';
import { expect, measured } from '../../support/test.ts';

test.describe.configure({ mode: 'serial' });
test.skip(!canCarryMachines, 'needs root and Docker');

const host = `shed-${process.pid}`;
const connected = { timeout: 90_000 };

/** Warren as an operator runs it: images, Compose, production settings, TLS, two of each service. */
test.describe('an installation with Compose', () => {
  let engine: Engine;
  let installation: Installation;
  let machine: Machine;
  let tunnel: Awaited<ReturnType<typeof serveTunnel>>;
  let context: BrowserContext;
  let id = '';

  test.beforeAll(async ({ browser }) => {
    test.setTimeout(1_500_000);
    engine = await Engine.start();
    let since = Date.now();
    await makeWarren(engine);
    measured('images', Date.now() - since, 'ms');
    installation = await Installation.prepare(await makeServers(engine));
    since = Date.now();
    await installation.up();
    measured('up', Date.now() - since, 'ms');
    tunnel = await serveTunnel((name) => installation.place(name));
    const { hub } = installation;
    context = await browser.newContext({ baseURL: hub, proxy: { server: tunnel.url }, ignoreHTTPSErrors: true });
    machine = await Machine.start(engine, host, { [new URL(hub).hostname]: installation.address });
  });

  // oxlint-disable-next-line no-empty-pattern
  test.afterEach(async ({}, info) => {
    if (info.status === info.expectedStatus || !installation) return;
    await info.attach('services.log', { body: await installation.logs(), contentType: 'text/plain' });
  });

  test.afterAll(async () => {
    test.setTimeout(120_000);
    await machine?.remove();
    await context?.close();
    tunnel?.stop();
    await installation?.remove();
    await engine?.stop();
  });

  const status = async () => (await device(context.request, id)).status;

  test('lets the operator in, enrols a device, and opens its shell', async () => {
    test.setTimeout(400_000);
    id = await useFirst({ installation, context, machine, host });
  });

  /** Two terminals, one that types and one that prints, while something is done to the hub. */
  async function whileWorking(lines: number, work: () => Promise<void>): Promise<void> {
    const ca = await readFile(installation.ca);
    const agent = new Agent({
      ca,
      lookup: (_name, _options, found) => found(null, [{ address: installation.address, family: 4 }]),
    });
    const way = { request: context.request, hub: installation.hub, via: () => installation.hub, device: id };
    const connection = { agent: agent as never };
    const open = () => SurvivingTerminal.open({ ...way, connection });
    const read = (file: string) => machine.says(`cat ${file}; echo .`).then((text) => text.slice(0, -1));
    const typing = await CountedTyping.start(await open(), { folder: '/tmp', read });
    try {
      const output = await CountedOutput.start(await open(), lines);
      const before = output.terminal.attachments + typing.terminal.attachments;
      await work();
      expect(output.terminal.attachments + typing.terminal.attachments).toBeGreaterThan(before);
      await output.verify(240_000);
      await typing.verify(120_000);
      await output.terminal.close();
      await typing.terminal.close();
    } finally {
      typing.stop();
      agent.destroy();
    }
  }

  /** Moves to another version by `move`, while people work, and looks whether all of it runs then. */
  async function moved(tag: string, what: string, move: () => Promise<void>): Promise<void> {
    await whileWorking(100_000, async () => {
      const since = Date.now();
      await move();
      measured(what, Date.now() - since, 'ms');
    });
    await installation.healthy();
    const named = new RegExp(`^${NAMING.prefix}/\\w+:${tag}$`);
    for (const image of await installation.images()) expect(image).toMatch(named);
    // Sessions survive, and the proxy has that version's file.
    await expect.poll(status, connected).toBe('Connected');
    const answer = await context.request.get('/');
    expect(answer.headers()[FILES_OF.toLowerCase()]).toBe(tag);
  }

  test('changes nothing when upgrade.sh is given a version whose images are not there', async () => {
    test.setTimeout(300_000);
    const state = async () => [await installation.settings(), (await installation.containers()).sort()];
    const before = await state();
    await expect(installation.script('upgrade.sh', 'missing')).rejects.toThrow(`${NAMING.prefix}/migrate`);
    expect(await state()).toEqual(before);
  });

  test('goes to another version with upgrade.sh: two of each service, and sessions lose nothing', async () => {
    test.setTimeout(900_000);
    await moved(NAMING.tag, 'upgraded', () => installation.upgrade());
  });

  test('goes back with upgrade.sh, on the newer schema, and forth again: sessions lose nothing', async () => {
    test.setTimeout(1_800_000);
    // As a migration leaves it that the version before does not know: they only add.
    await installation.query(`BEGIN;
      ALTER TABLE devices.devices ADD COLUMN of_a_newer_version text NOT NULL DEFAULT 'x';
      INSERT INTO devices.migrations (timestamp, name) VALUES (4102444800000, 'OfANewerVersion4102444800000');
      COMMIT`);
    await moved(FROM.tag, 'gone back', () => installation.goBack());
    // The terminals of this one are opened on the version before.
    await moved(NAMING.tag, 'upgraded again', () => installation.upgrade());
    await installation.query(`BEGIN;
      ALTER TABLE devices.devices DROP COLUMN of_a_newer_version;
      DELETE FROM devices.migrations WHERE name = 'OfANewerVersion4102444800000';
      COMMIT`);
  });

  test('is found well by the doctor', async () => {
    test.setTimeout(120_000);
    const found = await installation.examine();
    // No DNS knows the names of devices here; nor is the provider to be reached from a container.
    const known = found.filter(({ check, detail }) => check !== 'dns' && !detail.includes(DEVICES));
    expect(known.filter(({ status: said }) => said === 'fail')).toEqual([]);
    // The certificate of the tests does not last long, which the doctor says.
    const well = known.filter(({ check, status: said }) => said === 'ok' || (check === 'tls' && said === 'warn'));
    expect([...new Set(well.map(({ check }) => check))]).toEqual(
      expect.arrayContaining(['tls', 'hub', 'postgres', 'redis', 'nats']),
    );
    expect(found.filter(({ detail }) => /all \d+ migrations have run/.test(detail))).toHaveLength(3);
  });

  test('answers what the runbooks have people type to look at it', async () => {
    test.setTimeout(600_000);
    const lines = [...(await runbooks())]
      .flatMap(([name, text]) => blocksOf(name, text))
      .filter(({ section, text }) => section === 'What to look at' && /\bdocker /.test(text));
    expect(lines.length).toBeGreaterThan(40);
    for (const { runbook, text } of lines) {
      // The doctor fails on what this installation lacks, and a healthy one has no lines to find.
      const mayFail = text.includes('run --rm doctor') || text.includes('| grep');
      const said = await installation.typed(text).catch((error: { code?: number; stderr?: string }) => {
        expect({ runbook, text, code: error.code, stderr: error.stderr, mayFail }).toMatchObject({
          code: 1,
          mayFail: true,
        });
        return '';
      });
      if (!mayFail) expect({ runbook, text, said }).toEqual({ runbook, text, said: expect.stringMatching(/\S/) });
    }
  });

  test('loses and repeats nothing while each of its services is restarted, one container after the other', async () => {
    test.setTimeout(1_500_000);
    await whileWorking(300_000, async () => {
      const since = Date.now();
      await installation.restartOneByOne();
      measured('all restarted', Date.now() - since, 'ms');
    });
  });

  test('goes to one process for all services and back: sessions lose nothing', async () => {
    test.setTimeout(900_000);
    await whileWorking(100_000, async () => {
      let since = Date.now();
      await installation.goTogether();
      measured('in one process', Date.now() - since, 'ms');
      expect(
        await installation.containers('gateway', 'tunnels', 'identity', 'tenancy', 'devices', 'fleet', 'audit'),
      ).toEqual([]);
      await expect.poll(status, connected).toBe('Connected');
      const found = await installation.examine();
      expect(found.filter(({ check, status: said }) => check === 'nats' && said === 'fail')).toEqual([]);
      since = Date.now();
      await installation.goApart();
      measured('in separate processes again', Date.now() - since, 'ms');
    });
    await expect.poll(status, connected).toBe('Connected');
    expect(await installation.containers('hub')).toEqual([]);
  });

  test('has everything back from a backup after its database is lost, and devices without being touched', async () => {
    test.setTimeout(900_000);
    const all = async () => {
      const [accounts, users, fleet] = await Promise.all([
        getJson<{ accounts: unknown[] }>(context.request, '/api/accounts'),
        getJson<{ users: { email: string; group: unknown }[] }>(context.request, '/api/users'),
        devices(context.request),
      ]);
      const people = users.users.map(({ email, group }) => [email, group]);
      return {
        accounts: accounts.accounts,
        people,
        fleet: fleet.devices.map(({ id: one, serial, name }) => [one, serial, name]),
      };
    };
    const agent = await machine.says('systemctl show -p MainPID warren-agent');
    const before = await all();
    const file = (await installation.script('backup.sh')).trim().split('\n').at(-1) ?? '';
    await installation.compose('rm', '--stop', '--force', 'postgres');
    await installation.forgetVolume('postgres');
    const since = Date.now();
    await installation.script('restore.sh', file);
    await installation.healthy();
    measured('restored and up', Date.now() - since, 'ms');
    const page = await context.newPage();
    await signIn(page, OPERATOR);
    expect(await all()).toEqual(before);
    await expect.poll(status, connected).toBe('Connected');
    expect(await machine.says('systemctl show -p MainPID warren-agent')).toBe(agent);
    await new TerminalPage(page).openReady(id);
    await page.close();
  });
});
