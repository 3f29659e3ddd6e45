import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { Role } from '@warren/proto/common/v1/common';
import type { Event } from '@warren/proto/events/v1/events';
import { DomainFinding, DomainProof } from '@warren/proto/tenancy/v1/domains';
import { DOMAIN_LIMITS, recordName, recordText } from '@warren/rules/domains';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { DomainRecheck } from '../src/domains/domain.recheck.ts';
import { DomainsService } from '../src/domains/domains.service.ts';
import { Founder } from '../src/lifecycle/founder.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { DnsServer } from './dns.server.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const BOSS = user('0199f000-0000-7000-8000-0000000000ff', Role.SUPER_ADMIN, true);

const dns = new DnsServer();
let database: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let app: INestApplicationContext;
let source: DataSource;
let domains: DomainsService;
let acme: string;
let zebra: string;
let name: string;
let heard: Event[] = [];

beforeAll(async () => {
  const [address] = await Promise.all([
    dns.start(),
    (async () => ([database, nats] = await Promise.all([tenancyDatabase(), startNats()])))(),
  ]);
  app = await startTenancy(database.url, nats.url, { DNS_SERVERS: address });
  [source, domains] = [app.get(DataSource), app.get(DomainsService)];
  app.get(EventBus).listen((event) => heard.push(event));
});

afterAll(async () => {
  await app.close();
  await nats.stop();
  await database.drop();
  dns.stop();
});

beforeEach(async () => {
  const mark = randomUUID().slice(0, 8);
  name = `${mark}.test`;
  dns.fails = false;
  const { accounts } = await new SeedService(app.get(Outbox), app.get(Founder)).seed({
    accounts: ['Acme', 'Zebra'].map((kind) => ({ name: `${kind} ${mark}`, operator: false, users: [] })),
  });
  [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
  heard = [];
});

const owner = (accountId = acme) => user(accountId, Role.OWNER);
const claim = async (accountId = acme, domain = name) =>
  (await domains.claim(owner(accountId), { accountId, name: domain })).domain as { id: string; token: string };
const publish = ({ token }: { token: string }, domain = name) =>
  dns.records.set(recordName(domain), [[recordText(token)]]);
const age = async (id: string, interval: string) => {
  await source.query('UPDATE account_domains SET checked = checked - $2::interval WHERE id = $1', [id, interval]);
  await source.query('UPDATE domain_checks SET checked = checked - $1::interval', [interval]);
};
/** Checks a domain; again if a busy process has missed the answer of a server that does not fail. */
const checkOf = async (id: string, accountId = acme) => {
  for (;;) {
    const { domain } = await domains.check(owner(accountId), { accountId, id });
    if (dns.fails || domain?.finding !== DomainFinding.UNREACHABLE) return domain as NonNullable<typeof domain>;
    await age(id, '11 seconds');
  }
};
const only = async (accountId = acme) => (await domains.list(owner(accountId), { accountId })).domains[0];
/** The actions on a domain, once all events are published and so many have arrived. Those of other tests may still arrive. */
const audited = async (id: string, count: number) => {
  const actions = () =>
    heard.flatMap(({ kind }) => (kind.case === 'audit' && kind.value.target?.id === id ? [kind.value.action] : []));
  await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
  await until(() => actions().length >= count);
  return actions();
};

describe('domains of accounts', () => {
  it('are verified by their TXT record, and removed', async () => {
    const claimed = await claim(acme, ` ${name.toUpperCase()} `);
    expect(claimed).toMatchObject({ name, createdBy: 'someone@example.com', proof: DomainProof.UNSPECIFIED });
    expect(await checkOf(claimed.id)).toMatchObject({ finding: DomainFinding.ABSENT });
    expect(dns.asked).toContain(`_warren-challenge.${name}`);
    await expect(checkOf(claimed.id)).rejects.toMatchObject({ code: 'resource_exhausted', retryAfter: 10 });
    const text = recordText(claimed.token);
    dns.records.set(recordName(name), [['another=text'], [text.slice(0, 20), text.slice(20)]]);
    await age(claimed.id, '11 seconds');
    const verified = await checkOf(claimed.id);
    expect(verified).toMatchObject({ finding: DomainFinding.FOUND, proof: DomainProof.DNS });
    expect(verified.verified).toBeDefined();
    await domains.remove(owner(), { accountId: acme, id: claimed.id });
    expect(await only()).toBeUndefined();
    expect(await audited(claimed.id, 3)).toEqual(['domain.claim', 'domain.verify', 'domain.remove']);
  });

  it.each([
    ['of another claim', [[recordText('0'.repeat(40))]], DomainFinding.DIFFERENT],
    ['at the name without texts', [], DomainFinding.ABSENT],
  ])('are not verified by a record %s', async (_what, records, finding) => {
    const { id } = await claim();
    dns.records.set(recordName(name), records);
    expect(await checkOf(id)).toMatchObject({ finding, proof: DomainProof.UNSPECIFIED });
  });

  it('are not verified while DNS fails', async () => {
    const claimed = await claim();
    publish(claimed);
    dns.fails = true;
    expect(await checkOf(claimed.id)).toMatchObject({ finding: DomainFinding.UNREACHABLE });
    expect((await only())?.verified).toBeUndefined();
  });

  it('are of one account: the other neither claims, checks nor confirms one', async () => {
    const [ours, theirs] = [await claim(), await claim(zebra)];
    expect(ours.token).not.toBe(theirs.token);
    publish(ours);
    await checkOf(ours.id);
    dns.records.set(recordName(name), [[recordText(ours.token)], [recordText(theirs.token)]]);
    await expect(checkOf(theirs.id, zebra)).rejects.toMatchObject({ code: 'already_exists' });
    await expect(domains.confirm(BOSS, { accountId: zebra, id: theirs.id })).rejects.toMatchObject({
      code: 'already_exists',
    });
    await domains.remove(owner(zebra), { accountId: zebra, id: theirs.id });
    await expect(claim(zebra)).rejects.toMatchObject({ code: 'already_exists' });
    await domains.remove(owner(), { accountId: acme, id: ours.id });
    const again = await claim(zebra);
    publish(again);
    await age(again.id, '11 seconds');
    expect(await checkOf(again.id, zebra)).toMatchObject({ proof: DomainProof.DNS });
  });

  it('are checked once in 10 s by an account, also after it removes one and claims it again', async () => {
    const first = await claim();
    const both = await Promise.allSettled([checkOf(first.id), checkOf(first.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await domains.remove(owner(), { accountId: acme, id: first.id });
    const again = await claim();
    await expect(checkOf(again.id)).rejects.toMatchObject({ code: 'resource_exhausted', retryAfter: 10 });
    const [another, foreign] = [await claim(acme, `other-${name}`), await claim(zebra)];
    expect(await checkOf(another.id)).toMatchObject({ finding: DomainFinding.ABSENT });
    expect(await checkOf(foreign.id, zebra)).toMatchObject({ finding: DomainFinding.ABSENT });
    await age(again.id, '11 seconds');
    expect(await checkOf(again.id)).toMatchObject({ finding: DomainFinding.ABSENT });
  });

  it('two accounts that check at the same time leave one owner', async () => {
    const both = [await claim(), await claim(zebra)] as const;
    dns.records.set(
      recordName(name),
      both.map(({ token }) => [recordText(token)]),
    );
    const results = await Promise.allSettled([checkOf(both[0].id), checkOf(both[1].id, zebra)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('are confirmed by the operator alone, and not checked for loss', async () => {
    const { id } = await claim();
    const place = { accountId: acme, id };
    for (const who of [owner(), user(acme, Role.ADMIN), owner(zebra)])
      await expect(domains.confirm(who, place)).rejects.toMatchObject({
        code: expect.stringMatching(/permission_denied|not_found/),
      });
    const { domain } = await domains.confirm(BOSS, place);
    expect(domain).toMatchObject({ proof: DomainProof.OPERATOR, verifiedBy: 'someone@example.com' });
    await expect(domains.confirm(BOSS, place)).rejects.toMatchObject({ code: 'failed_precondition' });
    const checked = await checkOf(id);
    expect(checked).toMatchObject({ finding: DomainFinding.ABSENT, proof: DomainProof.OPERATOR });
    expect(checked.lost).toBeUndefined();
  });

  it('stay verified when the record is gone, with a warning until it is back', async () => {
    const claimed = await claim();
    publish(claimed);
    await checkOf(claimed.id);
    await app.get(DomainRecheck).sweep();
    dns.records.delete(recordName(name));
    const recheck = async () => {
      await age(claimed.id, '25 hours');
      await app.get(DomainRecheck).sweep();
      return only();
    };
    dns.fails = true;
    expect(await recheck()).toMatchObject({ verified: expect.anything(), finding: DomainFinding.UNREACHABLE });
    expect((await only())?.lost).toBeUndefined();
    dns.fails = false;
    await until(async () => (await recheck())?.finding === DomainFinding.ABSENT);
    expect(await only()).toMatchObject({ verified: expect.anything(), lost: expect.anything() });
    publish(claimed);
    await age(claimed.id, '11 seconds');
    expect((await checkOf(claimed.id)).lost).toBeUndefined();
    expect(await audited(claimed.id, 3)).toEqual(['domain.claim', 'domain.verify', 'domain.lose']);
  });

  it.each([
    'example',
    'example.test.',
    '@example.test',
    'm\u00fcnchen.test',
    'a b.test',
    '*.test',
    'service-account.invalid',
    `${'a.'.repeat(118)}test`,
  ])('named %j are refused', async (wrong) => {
    await expect(claim(acme, wrong)).rejects.toMatchObject({ problems: [{ field: 'domain' }] });
  });

  it('are 20 at most, each once, and those of other accounts are out of reach', async () => {
    const { id } = await claim();
    await expect(claim()).rejects.toMatchObject({ code: 'already_exists' });
    for (const who of [user(acme, Role.ADMIN), owner(zebra)])
      for (const work of [
        domains.list(who, { accountId: acme }),
        domains.check(who, { accountId: acme, id }),
        domains.remove(who, { accountId: acme, id }),
      ])
        await expect(work).rejects.toMatchObject({
          code: expect.stringMatching(/permission_denied|not_found/),
        });
    const theirs = { accountId: zebra, id };
    await expect(domains.check(owner(zebra), theirs)).rejects.toMatchObject({ code: 'not_found' });
    await expect(domains.remove(owner(zebra), theirs)).rejects.toMatchObject({ code: 'not_found' });
    for (let made = 1; made < DOMAIN_LIMITS.perAccount; made += 1) await claim(acme, `${made}.${name}`);
    await expect(claim(acme, `last.${name}`)).rejects.toMatchObject({ code: 'failed_precondition' });
  });
});
