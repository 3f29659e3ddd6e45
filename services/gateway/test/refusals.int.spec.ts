import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { USER_SCHEMA } from '@warren/infra/scim/trace';
import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import { requireMay } from '@warren/platform/policy/policy';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { AuditActorKind, AuditOutcome, type AuditEvent } from '@warren/proto/audit/v1/audit';
import { Role } from '@warren/proto/common/v1/common';
import { ScimService } from '@warren/proto/tenancy/v1/scim';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { ACCOUNT, OTHER_ACCOUNT, person, TestGateway, type Person } from './gateway.ts';
import { scimTenancy } from './scim.gateway.ts';
import { USER, users } from './scim.paths.ts';

const SECRET = newApiToken();
const A_MINUTE = 60;
const UNKNOWN = '01997b5c-0000-7000-8000-0000000000ff';

let gateway: TestGateway;
let admin: Person;
let heard: (AuditEvent & { account: string })[] = [];
/** What tenancy refuses a change by SCIM with. */
let refusal: Fault | undefined;

beforeAll(async () => {
  gateway = await TestGateway.start();
  gateway.app.get(EventBus).listen(({ kind, accountId }) => {
    if (kind.case === 'audit') heard.push({ ...kind.value, account: accountId });
  });
  await gateway.app.get(NatsLink).connection.flush();
  const note = (method: string) => {
    if (refusal && !method.startsWith('list')) throw refusal;
  };
  gateway.services.serve(ScimService, scimTenancy(SECRET, note));
  gateway.services.serve(TenancyService, {
    resolveMember: async () => admin.member as object,
    getAccount: async (caller, { id }) => {
      requireMay(caller, 'accounts.read', id);
      throw new Fault('not_found', `account ${id}.`);
    },
  });
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  heard = [];
  refusal = undefined;
  admin = gateway.signIn(person(randomUUID().slice(0, 6), Role.ADMIN));
});

/** The ids of requests are chosen, so that other test files on the same bus are not heard. */
const eventsOf = (id: string) => heard.filter(({ requestId }) => requestId === id);

async function look(account: string) {
  const id = randomUUID();
  const { status } = await gateway.get(`/api/accounts/${account}`, admin, { 'x-request-id': id });
  return { id, status };
}

async function scim(method: string, path: string, body?: unknown) {
  const id = randomUUID();
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/scim+json', 'x-request-id': id };
  const { status } = await gateway.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
  return { id, status };
}

it('records a request that names another account, in the account of the person', async () => {
  const own = await look(ACCOUNT);
  const [there, nowhere] = [await look(OTHER_ACCOUNT), await look(UNKNOWN)];
  expect([own.status, there.status, nowhere.status]).toEqual([404, 404, 404]);
  await until(async () => eventsOf(nowhere.id).length > 0);
  const { email } = admin.member.user ?? {};
  for (const [{ id }, account] of [
    [there, OTHER_ACCOUNT],
    [nowhere, UNKNOWN],
  ] as const)
    expect(eventsOf(id)).toMatchObject([
      {
        action: 'access.deny',
        outcome: AuditOutcome.REFUSED,
        account: ACCOUNT,
        actor: { email },
        reason: `no access to account ${account}.`,
        target: { kind: 'operation', id: 'getAccount' },
        details: JSON.stringify({ id: account, operation: 'getAccount' }),
      },
    ]);
  // A missing resource is no refusal.
  expect(eventsOf(own.id)).toEqual([]);
});

it('records a limited number per minute for a person', async () => {
  const sent: string[] = [];
  for (let count = 0; count < A_MINUTE + 5; count++) sent.push((await look(OTHER_ACCOUNT)).id);
  const recorded = () => sent.flatMap(eventsOf).length;
  await until(async () => recorded() === A_MINUTE);
  admin = gateway.signIn(person(randomUUID().slice(0, 6), Role.ADMIN));
  const { id } = await look(OTHER_ACCOUNT);
  await until(async () => eventsOf(id).length === 1);
  expect(recorded()).toBe(A_MINUTE);
});

it('records what SCIM refuses a token, and nothing that is no refusal', async () => {
  refusal = new Fault('permission_denied', 'the user has the role Owner.');
  const user = { schemas: [USER_SCHEMA], userName: 'ann@acme.test' };
  const deleted = await scim('DELETE', `${users}/${USER}`);
  const changed = await scim('PUT', `${users}/${USER}`, user);
  refusal = new Fault('already_exists', 'a user with this user name exists.');
  const taken = await scim('POST', users, user);
  refusal = new Fault('permission_denied', 'acme.test is no verified domain of this account.');
  const created = await scim('POST', users, user);
  expect([deleted, changed, taken, created].map(({ status }) => status)).toEqual([403, 403, 409, 403]);
  await until(async () => eventsOf(created.id).length > 0);
  const by = { outcome: AuditOutcome.REFUSED, account: ACCOUNT, actor: { kind: AuditActorKind.TOKEN, name: 'Entra' } };
  const reason = 'the user has the role Owner.';
  expect(eventsOf(deleted.id)).toMatchObject([{ ...by, reason, action: 'user.delete', target: { id: USER } }]);
  expect(eventsOf(changed.id)).toMatchObject([{ ...by, reason, action: 'access.deny' }]);
  expect(eventsOf(changed.id)[0]?.details).toBe(JSON.stringify({ id: USER, operation: 'replaceScimUser' }));
  expect(eventsOf(created.id)).toMatchObject([{ ...by, action: 'user.create', origin: { address: '127.0.0.1' } }]);
  expect(eventsOf(taken.id)).toEqual([]);
  expect(
    JSON.stringify(heard, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain(SECRET);
});
