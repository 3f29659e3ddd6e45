import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { HookServer, type Posted } from '@warren/infra/hook-server';
import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { signatureHeaders } from '@warren/platform/outbound/signature';
import type { Caller } from '@warren/platform/rpc/caller';
import { AuditOutcome, StreamKind } from '@warren/proto/audit/v1/audit';
import { Role } from '@warren/proto/common/v1/common';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { StreamsService } from '../src/streams/settings/streams.service.ts';
import { AuditWorld, person, renamed } from './audit.world.ts';
import { SyslogServer } from './syslog.server.ts';

interface Got {
  id: string;
  sequence: number;
  accountId: string;
  action: string;
}

let world: AuditWorld;
let hooks: HookServer;
let owner: Caller;
let account: string;

beforeAll(async () => {
  world = await AuditWorld.start();
});
afterAll(() => world?.end(), 60_000);

beforeEach(async () => {
  hooks = await new HookServer().start();
  account = uuidv7();
  owner = person(account);
});
afterEach(async () => {
  await world.source.query('UPDATE streams SET enabled = false').catch(() => {});
  await hooks.stop();
});

const service = (app: INestApplicationContext = world.app) => app.get(StreamsService);
const wanted = (more: object = {}) => ({
  accountId: account,
  all: false,
  name: 'SIEM',
  kind: StreamKind.WEBHOOK,
  url: `${hooks.url}/events`,
  ca: '',
  ...more,
});
const create = async (more: object = {}, caller = owner) => {
  const { stream, secret } = await service().create(caller, wanted(more) as never);
  return { id: stream?.id ?? '', secret: secret ?? '' };
};
const stateOf = async (id: string, scope = { accountId: account, all: false }, caller = owner) => {
  const { streams } = await service().list(caller, scope);
  return streams.find((one) => one.id === id);
};
const eventsOf = (posted: readonly Posted[]): Got[] =>
  posted.flatMap(({ body }) => (JSON.parse(body) as { data: { events: Got[] } }).data.events);
const got = () => eventsOf(hooks.on('/events'));
const publish = (count: number, caller = owner, more = {}) =>
  world.publish(...Array.from({ length: count }, () => renamed(caller, more)));
const fails = async (work: Promise<unknown>, code: string, text: string | RegExp) => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(Fault);
  expect(error).toMatchObject({ code });
  const { message, problems } = error as Fault;
  expect([message, ...problems.map((one) => `${one.field}: ${one.message}`)].join('\n')).toMatch(text);
};
/** Every event of the account from a sequence on came; each for the first time in its order. */
const isWhole = (events: readonly Got[], count: number) => {
  const first = [...new Set(events.filter(({ accountId }) => accountId === account).map(({ sequence }) => sequence))];
  const from = Math.min(...first);
  return first.length === count && first.every((sequence, at) => sequence === from + at);
};

it('delivers the next events to a webhook in their order, signed, and those only that are wanted', async () => {
  await publish(3);
  await until(async () => (await world.ids(owner)).length === 3);
  const { id, secret } = await create({ filter: { actions: ['device.*'], outcomes: [AuditOutcome.REFUSED] } });
  await publish(2);
  await publish(5, owner, { outcome: 'refused', reason: 'no' });
  await publish(1, owner, { action: 'group.create', outcome: 'refused' });
  await until(() => got().length === 5);
  const [posted] = hooks.on('/events');
  if (!posted) throw new Error('Nothing came.');
  const { 'webhook-id': hookId, 'webhook-timestamp': at, 'webhook-signature': signature } = posted.headers;
  const expected = signatureHeaders(
    { id: String(hookId), body: posted.body, at: new Date(Number(at) * 1_000) },
    secret,
  );
  expect(signature).toBe(expected['webhook-signature']);
  expect(got().map(({ sequence }) => sequence)).toEqual([...got().map((one) => one.sequence)].sort((a, b) => a - b));
  await until(async () => Number((await stateOf(id))?.state?.waiting) === 0);
  expect((await stateOf(id))?.state).toMatchObject({ delivered: 5n, skipped: 0n, lastError: '' });
  expect(posted.body).not.toContain(secret);
});

it('signs with the former secret as well for 24 hours after a rotation, then with the new one alone', async () => {
  const { id, secret } = await create();
  const { secret: next = '' } = await service().rotateSecret(owner, { id });
  const valid = async () => {
    await until(async () => Number((await stateOf(id))?.state?.waiting) === 0);
    const { headers, body } = hooks.on('/events').at(-1) as Posted;
    const signed = {
      id: String(headers['webhook-id']),
      body,
      at: new Date(Number(headers['webhook-timestamp']) * 1_000),
    };
    const given = String(headers['webhook-signature']).split(' ');
    return [secret, next].map((one) => given.includes(signatureHeaders(signed, one)['webhook-signature'] ?? ''));
  };
  await publish(1);
  await until(() => got().some(({ action }) => action === 'device.rename'));
  expect(await valid()).toEqual([true, true]);
  expect((await stateOf(id))?.formerSecretUntil).toBeDefined();
  await world.source.query(`UPDATE streams SET former_until = now() - interval '1 second' WHERE id = $1`, [id]);
  await publish(1);
  await until(() => got().filter(({ action }) => action === 'device.rename').length === 2);
  expect(await valid()).toEqual([false, true]);
  await until(async () => {
    const columns = 'former_secret, former_until';
    const [row] = await world.source.query<object[]>(`SELECT ${columns} FROM streams WHERE id = $1`, [id]);
    return Object.values(row ?? {}).every((value) => value === null);
  });
  const syslog = await create({ name: 'Syslog', kind: StreamKind.SYSLOG, url: 'tls://127.0.0.1:9' });
  await fails(service().rotateSecret(owner, syslog), 'failed_precondition', 'no webhook');
  await fails(service().rotateSecret(person(uuidv7()), { id }), 'not_found', id);
  const { events = [] } = await world.list(owner, { actions: ['audit_stream.rotate_secret'] });
  expect(events[0]?.event?.changes).toMatchObject([{ field: 'signing_secret', hidden: true }]);
});

it('loses nothing to a receiver that fails, says why, and waits for none that hangs', async () => {
  let works = false;
  hooks.answer = (response, { path }) => {
    if (path === '/hangs') return;
    if (path === '/moved') return response.writeHead(302, { location: `${hooks.url}/elsewhere` }).end();
    return works ? response.end('ok') : response.writeHead(500).end();
  };
  const broken = await create();
  await create({ name: 'Hangs', url: `${hooks.url}/hangs` });
  const moved = await create({ name: 'Moved', url: `${hooks.url}/moved` });
  await publish(4);
  await until(async () => (await stateOf(broken.id))?.state?.failingSince !== undefined);
  expect((await stateOf(broken.id))?.state).toMatchObject({ lastError: 'The receiver answered 500.' });
  const refused = hooks.on('/events').length;
  works = true;
  await until(() => isWhole(eventsOf(hooks.on('/events').slice(refused)), 7), 30_000);
  await until(async () => (await stateOf(broken.id))?.state?.failingSince === undefined);
  const refusal = 'redirect (302), which is not followed';
  await until(async () => (await stateOf(moved.id))?.state?.lastError?.includes(refusal));
  expect(hooks.on('/elsewhere')).toEqual([]);
});

it('shares streams between replicas, and sends each event once', async () => {
  const other = await world.replica();
  try {
    const everything = await create({ name: uuidv7(), all: true, accountId: '' }, world.operator);
    const others = person(uuidv7());
    await Promise.all([publish(450), publish(450, others)]);
    const mine = () => got().filter(({ action }) => action === 'device.rename');
    await until(() => mine().length >= 900, 60_000);
    const scope = { accountId: '', all: true };
    await until(async () => Number((await stateOf(everything.id, scope, world.operator))?.state?.waiting) === 0);
    expect(mine()).toHaveLength(900);
    expect(isWhole(mine(), 450)).toBe(true);
  } finally {
    await other.close();
  }
});

it('counts what retention removed before it was delivered, and continues after it', async () => {
  const { id } = await create();
  await until(async () => Number((await stateOf(id))?.state?.waiting) === 0);
  await service().update(owner, { id, enabled: false } as never);
  await publish(6);
  await until(async () => (await world.ids(owner)).length === 8);
  await world.admin(
    `SET session_replication_role = replica; DELETE FROM audit.events WHERE account_id = '${account}' AND sequence <= 5`,
  );
  const before = got().length;
  await service().update(owner, { id, enabled: true } as never);
  await until(async () => Number((await stateOf(id))?.state?.waiting) === 0);
  expect(
    got()
      .slice(before)
      .map(({ sequence }) => sequence),
  ).toEqual([6, 7, 8, 9]);
  expect((await stateOf(id))?.state).toMatchObject({ skipped: 4n });
});

it('writes to rsyslog over TLS, and resumes when it is back', async () => {
  const syslog = await SyslogServer.make();
  try {
    await syslog.start();
    const target = { kind: StreamKind.SYSLOG, url: syslog.url, ca: syslog.ca };
    const { id } = await create(target);
    const stranger = await create({ ...target, name: 'No CA', ca: '' });
    expect(await service().test(owner, { id })).toEqual({ delivered: true, reason: '' });
    expect(await service().test(owner, { id: stranger.id })).toMatchObject({ delivered: false });
    await service().delete(owner, stranger);
    const renames = async () => (await syslog.messages()).filter(({ event }) => event['action'] === 'device.rename');
    // What was not confirmed when the server ended comes again.
    const sequences = (messages: { event: Record<string, unknown> }[]) =>
      new Set(messages.map(({ event }) => event['sequence']));
    await publish(40, owner, { reason: 'Grüße' });
    await until(async () => sequences(await renames()).size === 40);
    await syslog.kill();
    await publish(30);
    await until(async () => (await stateOf(id))?.state?.failingSince !== undefined);
    await syslog.start();
    await until(async () => sequences(await renames()).size === 70);
    const numbered = (await syslog.messages()).filter(({ event }) => event['sequence'] !== undefined);
    const all = numbered.map(({ event }) => event as unknown as Got);
    expect(isWhole(all, sequences(numbered).size)).toBe(true);
    const [first] = await renames();
    expect(first?.header).toMatch(
      /^<110>1 \S+Z hub\.example\.com warren - device\.rename \[origin software="Warren"\] /,
    );
    expect(first?.event).toMatchObject({ reason: 'Grüße', accountId: account });
  } finally {
    await syslog.end();
  }
});

it('leads nowhere inside unless the installation allows it', async () => {
  const strict = await world.replica({ NOTIFY_PRIVATE_ADDRESSES: '' });
  try {
    await service().create(owner, { ...wanted({ url: 'http://127.0.0.1:9/' }) } as never);
    for (const [kind, url] of [
      [StreamKind.WEBHOOK, 'https://127.0.0.1/x'],
      [StreamKind.WEBHOOK, 'https://[::ffff:10.0.0.1]/'],
      [StreamKind.SYSLOG, 'tls://169.254.169.254:6514'],
      [StreamKind.SYSLOG, 'tls://[::1]'],
    ] as const) {
      const { id } = await create({ kind, url, name: uuidv7() });
      const { delivered, reason } = await service(strict).test(owner, { id });
      expect([delivered, reason]).toEqual([false, 'The URL leads to an address that the hub does not connect to.']);
      await service().delete(owner, { id });
    }
  } finally {
    await strict.close();
  }
});

it('is for owners and SuperAdmins, names what is wrong, and records changes without secrets', async () => {
  await fails(create({}, person(account, Role.ADMIN)), 'permission_denied', '');
  await fails(create({}, person(uuidv7())), 'not_found', 'account');
  await fails(create({ all: true }), 'permission_denied', 'only SuperAdmins');
  await fails(create({ kind: StreamKind.SYSLOG }), 'invalid_argument', /url.*expected an address such as tls:/);
  await fails(create({ kind: StreamKind.SYSLOG, url: 'tls://a.example:70000' }), 'invalid_argument', 'url');
  await fails(create({ ca: 'x' }), 'invalid_argument', 'ca');
  await fails(create({ filter: { actions: ['*'], outcomes: [] } }), 'invalid_argument', 'filter.actions');
  const { id, secret } = await create({ url: `${hooks.url}/hidden-token-of-the-url` });
  await fails(create({ name: 'siem' }), 'already_exists', 'siem');
  await service().test(owner, { id });
  await fails(service().test(owner, { id }), 'resource_exhausted', '10 seconds');
  await service().update(owner, { id, name: 'Other' } as never);
  await fails(service().update(person(uuidv7()), { id, name: 'x' } as never), 'not_found', id);
  for (const name of ['2', '3', '4', '5']) await create({ name });
  await fails(create({ name: '6' }), 'failed_precondition', '5 streams');
  await service().delete(owner, { id });
  const { events = [] } = await world.list(owner, { targetId: id });
  expect(events.map(({ event }) => event?.action)).toEqual(
    ['delete', 'change', 'test', 'create'].map((verb) => `audit_stream.${verb}`),
  );
  const text = JSON.stringify(events, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  expect(text).not.toContain(secret);
  expect(text).not.toContain('hidden-token');
  await world.publish(newEvent({ kind: { case: 'accountDeleted', value: { accountId: account } } }));
  await until(async () => (await service().list(owner, { accountId: account, all: false })).streams.length === 0);
});

it('loses nothing and keeps the order when the process is killed in the middle of a delivery', async () => {
  await create();
  await world.app.close();
  const env = { ...world.environment(), PATH: process.env['PATH'] };
  const program = join(import.meta.dirname, 'fault.process.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'recorder'], {
    env,
    stdio: 'inherit',
  });
  const exit = once(child, 'exit');
  // The second batch has arrived and is not acknowledged.
  hooks.answer = (response) => (hooks.on('/events').length === 2 ? child.kill('SIGKILL') : response.end('ok'));
  await publish(600);
  await exit;
  hooks.answer = (response) => response.end('ok');
  world.app = await world.replica();
  await until(() => isWhole(got(), 601), 60_000);
});
