import { test, type BrowserContext } from '@playwright/test';
import { signIn } from '../../pages/sign-in.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { device, devices, enrolmentToken, getJson } from '../../support/api.ts';
import { serveTunnel } from '../../support/containers/tunnel.ts';
import { canCarryMachines, Engine } from '../../support/engine.ts';
import { FreshMachine, SHOWN } from '../../support/fresh/machine.ts';
import { commandsIn, readmeCommands } from '../../support/fresh/readme.ts';
import { expect, measured } from '../../support/test.ts';

test.describe.configure({ mode: 'serial' });
test.skip(!canCarryMachines, 'needs root and Docker');

const host = `bare-${process.pid}`;
const HUB = 'http://localhost:8080';
const OPERATOR = 'superadmin@warren.example';
const START_MS = 1_800_000;
const INSTALL = "curl -fsSL 'https://hub.example.com/install/…?token=…' | sudo sh";

/** Where each command of the README is tried. One that is not named here fails. */
const TRIED: Record<string, string> = {
  'make start': 'here',
  [INSTALL]: 'here',
  'make doctor': 'here',
  // What it needs and one project's tests here; all of it is what the tests of every change run.
  'make test': 'here',
  'make build': 'here: a part of make start',
  'make packages': 'here: a part of make test',
  'make release-key': 'a test of the agent',
  'node dist/main.js': 'here, as far as it goes without settings',
  'node dist/migrate.js': 'here, as far as it goes without settings',
  'make images': 'make containers',
};

test('every command of the README is known', async () => {
  expect(await readmeCommands()).toEqual(Object.keys(TRIED).sort());
  expect(commandsIn('```sh\n# no\nmake a # why\n```\nand `make b C=1`, not `make`\n')).toEqual([
    'make a',
    'make b C=1',
  ]);
});

/** The README, on a Debian machine that has Node 20, npm and make, as root. */
test.describe('a machine that has never seen Warren', () => {
  let engine: Engine;
  let fresh: FreshMachine;
  let tunnel: Awaited<ReturnType<typeof serveTunnel>>;
  let context: BrowserContext;

  test.beforeAll(async ({ browser }) => {
    test.setTimeout(900_000);
    engine = await Engine.start();
    fresh = await FreshMachine.start(engine, host);
    // The hub, its sign-in and its mail.
    const ports = [8080, 8081, 8082];
    const address = await fresh.show(ports);
    tunnel = await serveTunnel((name, port) =>
      name === 'localhost' && ports.includes(port) ? { host: address, port: port + SHOWN } : undefined,
    );
    context = await browser.newContext({ baseURL: HUB, proxy: { server: tunnel.url, bypass: '<-loopback>' } });
  });

  test.afterAll(async () => {
    test.setTimeout(120_000);
    await context?.close();
    tunnel?.stop();
    await fresh?.remove();
    await engine?.stop();
  });

  async function start(): Promise<void> {
    const since = Date.now();
    await fresh.begin('start', 'make start');
    const said = await fresh.says('start', 'Ctrl-C', START_MS);
    measured('make start', Date.now() - since, 'ms');
    expect(said).toContain(HUB);
    for (const role of ['SuperAdmin', 'Owner', 'Admin', 'Member']) expect(said).toContain(role);
  }

  test('make start: one signs in as superadmin@warren.example and has this machine’s shell', async () => {
    test.setTimeout(START_MS + 300_000);
    await start();
    const page = await context.newPage();
    await signIn(page, OPERATOR);
    await expect.poll(async () => (await devices(context.request, `search=${host}`)).total).toBe(1);
    const [first] = (await devices(context.request, `search=${host}`)).devices;
    const id = first?.id ?? '';
    await expect.poll(async () => (await device(context.request, id)).status).toBe('Connected');
    const terminal = new TerminalPage(page);
    await terminal.openReady(id);
    await terminal.run('echo $((6*7)) on $(hostname)');
    await terminal.expectLine(`42 on ${host}`);
    await page.close();
  });

  test('the line of Add device makes a machine with systemd a device', async () => {
    test.setTimeout(300_000);
    const { operator_account_id: account } = await getJson<{ operator_account_id: string }>(
      context.request,
      '/server/get_workspace',
    );
    const { command } = await enrolmentToken(context.request, HUB, account);
    const shape = INSTALL.replace('https://hub.example.com', HUB).split('…');
    expect(command.startsWith(shape[0] ?? '') && command.endsWith(shape[2] ?? '')).toBe(true);
    const said = await fresh.run(command);
    expect(said).toContain('Connected since');
  });

  test('make doctor finds nothing wrong with what make start has started', async () => {
    test.setTimeout(120_000);
    const said = await fresh.run(`HUB_URL=${HUB} DEVICE_DOMAIN=devices.localhost:8080 make doctor`);
    expect(said).toMatch(/ok +hub/);
    expect(said).not.toMatch(/^ *fail/m);
  });

  test('Ctrl-C stops all of it, and the data stays', async () => {
    test.setTimeout(START_MS);
    const known = (await devices(context.request)).total;
    await fresh.interrupt('start');
    expect((await fresh.machine.sh('curl --silent --max-time 5 http://localhost:8080')).code).toBe(7);
    await start();
    // Who was signed in still is.
    expect((await devices(context.request)).total).toBe(known);
    await fresh.interrupt('start');
  });

  test('a service started alone names its missing settings', async () => {
    for (const command of ['node dist/main.js', 'node dist/migrate.js']) {
      const said = await fresh.machine.sh(
        `cd /root/warren/services/identity && PATH=/root/warren/node_modules/.bin:$PATH ${command} 2>&1`,
      );
      expect({ command, ...said }).toMatchObject({
        code: 78,
        text: expect.stringContaining('DATABASE_URL') as unknown,
      });
    }
  });

  test('make test gets all that the tests need, and tests run', async () => {
    test.setTimeout(3_600_000);
    await fresh.giveGo();
    const since = Date.now();
    await fresh.run('make programs build packages THROWAWAY_KEY=1');
    measured('what make test needs', Date.now() - since, 'ms');
    const said = await fresh.run("make unit JEST='-c services/identity/jest.config.mjs'");
    expect(said).toMatch(/Tests: +\d+ passed/);
    expect(await fresh.run("make e2e E2E='--list'")).toMatch(/Total: \d+ tests/);
  });
});
