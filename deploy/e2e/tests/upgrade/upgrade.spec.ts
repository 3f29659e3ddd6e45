import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { until } from '@warren/infra/until';
import { getJson } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { person } from '../../support/people.ts';
import { makeRelease } from '../../support/releases.ts';
import { CountedTyping } from '../../support/rig.ts';
import { measured } from '../../support/test.ts';
import { SiteData } from '../../support/upgrade/data.ts';
import { EndlessOutput } from '../../support/upgrade/endless.ts';
import { services, Site, type Visitor } from '../../support/upgrade/site.ts';

const from = process.env['WARREN_UPGRADE_FROM'] ?? '';
/** A version of the agent that is newer than any. */
const offered = '901.0.0';
const superAdmin = person('superAdmin').email;
const member = person('member').email;

test.describe.configure({ mode: 'serial', timeout: 600_000 });

/** Services, data and agent of a former release, moved to this version one process after the other, back, and forth again. */
test.describe('an upgrade from a former release', () => {
  let site: Site;
  /** Has been signed in since the former release ran. */
  let operator: Visitor;
  let agent = 0;
  let data: SiteData;
  /** Reads the next number of the device's web service, which was opened before. */
  let count: () => Promise<number>;

  test.beforeAll(async () => {
    test.setTimeout(300_000);
    site = await Site.start(from);
    operator = await site.visitor(superAdmin);
    data = new SiteData(site, operator);
  });

  test.afterAll(async () => {
    await data?.stop();
    await site?.stop();
  });

  test.afterEach(async () => {
    // It was never started again, whatever happened to the hub.
    expect((await site.warren.pids()).agent).toBe(agent);
  });

  /** Types, and prints with a program, until the work is done. */
  async function whileWorking(what: string, work: (visitor: Visitor) => Promise<void>): Promise<void> {
    const visitor = await site.visitor(superAdmin);
    const typing = await CountedTyping.start(await site.open(visitor));
    try {
      const output = await EndlessOutput.start(await site.open(visitor));
      const since = Date.now();
      await work(visitor);
      measured(what, Date.now() - since, 'ms');
      measured(`${what}: lines`, await output.verify(120_000), 'lines');
      await typing.verify(120_000);
      expect(output.terminal.attachments).toBeGreaterThan(1);
      await output.terminal.close();
      await typing.terminal.close();
    } finally {
      typing.stop();
      await visitor.request.dispose();
    }
  }

  /** A web service that is open stays so, whatever was replaced. */
  async function countsOn(): Promise<void> {
    const before = await count();
    expect(await count()).toBe(before + 1);
  }

  const accounts = async () =>
    (await getJson<{ accounts: { name: string }[] }>(operator.request, '/api/accounts')).accounts
      .map(({ name }) => name)
      .toSorted();

  test('begins with a release that serves', async () => {
    agent = (await site.warren.pids()).agent;
    await site.exposeService(operator);
    count = await site.openService(operator);
    await countsOn();
    await site.serves(superAdmin);
    await data.noteFormer();
  });

  test('goes forth one process after the other, and sessions lose nothing', async () => {
    const before = await accounts();
    await whileWorking('forth', async () => {
      await site.migrate();
      await site.renew('nats');
      await site.renew('redis');
      await site.serves(member);
      for (const name of services) {
        await site.renew(name);
        await site.serves(member);
        await countsOn();
        // A service that has just been replaced dies, and the next ones are still of the former version.
        await site.warren.kill(name);
        await site.warren.ready(name);
        await site.serves(superAdmin);
      }
    });
    expect(await operator.isSignedIn()).toBe(true);
    expect(await accounts()).toEqual(before);
    count = await site.openService(operator);
    await countsOn();
  });

  test('has the devices and the audit trail of the former release, and takes what only this version has', async () => {
    await data.expectFormer();
    await data.addOwn();
  });

  test('ends unsealed sessions of the former release when they are refused, and keeps those made since', async () => {
    test.skip(site.seals, 'the former release has sealed all sessions');
    const since = await site.visitor(superAdmin);
    await whileWorking('refusing', async () => {
      for (const name of services) {
        await site.secure(name);
        await until(() => since.isSignedIn(), 60_000);
      }
    });
    expect(await operator.isSignedIn()).toBe(false);
    await operator.signIn();
    count = await site.openService(operator);
    await site.serves(member);
    await since.request.dispose();
  });

  test('keeps the agent of the former release: its facts, and the offer of a newer version', async () => {
    const { agent_version: version } = await site.connected(operator);
    await site.reports(operator);
    const releases = join(site.warren.facts.home, 'releases');
    await mkdir(releases, { recursive: true });
    await makeRelease(join(releases, 'offered'), offered);
    const newer = async () =>
      (await getJson<{ newer: string }>(operator.request, `/api/updates/releases?than=${version}`)).newer;
    await until(async () => (await newer()) === offered, 60_000);
    const { versions } = await getJson<{ versions: { version: string; connected: number }[] }>(
      operator.request,
      '/api/updates/versions',
    );
    expect(versions).toContainEqual(expect.objectContaining({ version, connected: 1 }));
    await data.expectHistory();
  });

  test('goes back on the newer schema: devices, sign-in, terminals', async () => {
    const before = await accounts();
    await whileWorking('back', async () => {
      if (!site.seals) for (const name of services) await site.renew(name);
      for (const name of services.toReversed()) {
        await site.revert(name);
        await site.serves(member);
        await countsOn();
      }
    });
    expect(await operator.isSignedIn()).toBe(true);
    expect(await accounts()).toEqual(before);
    count = await site.openService(operator);
    await countsOn();
    await site.reports(operator);
    await data.expectAgent();
  });

  test('goes forth again, past the migrations that have run already', async () => {
    await whileWorking('forth again', async (visitor) => {
      await site.migrate();
      for (const name of services) await site.renew(name);
      if (site.seals) return;
      for (const name of services) await site.secure(name);
      // A terminal waits for its person.
      await visitor.signIn();
    });
    await operator.signIn();
    count = await site.openService(operator);
    await countsOn();
    await site.serves(member);
    const [{ doubled } = { doubled: '' }] = await query<{ doubled: string }>(
      site.warren.facts.database,
      'SELECT count(*) - count(DISTINCT serial) AS doubled FROM devices.devices',
    );
    expect(doubled).toBe('0');
  });

  test('has everything still: of the former release, of the way back, and of this version', async () => {
    await data.expectFormer();
    await data.expectOwn();
    measured('history over all versions', await data.expectHistory(), 'samples');
    await data.verifyTrail();
  });
});
