import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type EventData } from '@warren/platform/events/event';
import { createRpcClient } from '@warren/platform/rpc/client';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import { ApiTokenSchema, Role, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { TOKEN_LIMITS } from '@warren/rules/tokens';
import { randomUUID } from 'node:crypto';
import { gateway, startIdentity, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

let identity: IdentityProcess;
let client: RpcClient<typeof TokensService>;
const heard: EventData<'audit'>[] = [];

beforeAll(async () => {
  identity = await startIdentity();
  identity.app.get(EventBus).listen(({ kind }) => kind.case === 'audit' && heard.push(kind.value));
  client = createRpcClient(TokensService, identity.app.get(NatsTransport));
});
afterAll(() => identity?.stop());

const accountId = randomUUID();
const somebody = (role: Role, more: object = {}): UserCaller =>
  create(UserCallerSchema, { userId: randomUUID(), email: `${randomUUID()}@example.com`, accountId, role, ...more });
const program = (role = Role.MEMBER, more: object = {}) => {
  const email = `runner-${randomUUID()}@service-account.invalid`;
  return somebody(role, { email, name: 'CI runner', serviceAccount: true, ...more });
};
const owner = userCaller(somebody(Role.OWNER));
const WANTED = { name: 'Nightly', permissions: ['devices.open'], days: 30, filter: '' };
const make = (serviceAccount: UserCaller, more: Partial<typeof WANTED> = {}, caller: Caller = owner) =>
  client.createServiceAccountToken(caller, { serviceAccount, token: { ...WANTED, ...more } });
const verify = (secret: string) => client.verifyToken(serviceCaller('gateway'), { secret });
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const recorded = ({ userId }: UserCaller, action: string) =>
  heard.filter((event) => event.action === action && JSON.stringify(event).includes(userId));

describe('a token of a service account', () => {
  it('says whose it is, and is among the tokens of the account', async () => {
    const runner = program();
    const { secret, token } = await make(runner);
    expect(token).toMatchObject({ userId: runner.userId, email: runner.email, serviceAccount: 'CI runner' });
    expect((await verify(secret)).session).toMatchObject({
      saml: { email: runner.email },
      token: { userId: runner.userId, accountId, serviceAccount: 'CI runner', token: { name: 'Nightly' } },
    });
    const search = { page: { page: 1, limit: 10, search: runner.email }, accountId };
    expect((await client.listTokens(owner, search)).tokens.map(({ id }) => id)).toEqual([token?.id]);
    await until(async () => heard.some(({ action, target }) => action === 'token.create' && target?.id === token?.id));
  });

  it('opens sockets in the name of the service account', async () => {
    const runner = program();
    const { secret, token } = await make(runner);
    const user = { ...runner, token: create(ApiTokenSchema, { id: token?.id ?? '', name: 'Nightly' }) };
    const opening = {
      user,
      deviceId: 'd',
      deviceAccountId: accountId,
      purpose: SocketPurpose.TERMINAL,
      session: secret,
    };
    await identity.client.createSocketToken(gateway, opening);
    await until(async () => recorded(runner, 'socket_token.issue').length > 0);
    expect(recorded(runner, 'socket_token.issue')[0]?.actor).toMatchObject({
      kind: AuditActorKind.SERVICE_ACCOUNT,
      name: 'CI runner (Nightly)',
    });
  });

  it.each(['disabled', 'deleted'])('is refused once the service account is %s, and the trail names it', async (how) => {
    const runner = program();
    const { secret } = await make(runner);
    await verify(secret);
    const { userId, email } = runner;
    const value = { userId, email };
    const kind =
      how === 'deleted'
        ? ({ case: 'userDeleted', value } as const)
        : ({ case: 'userChanged', value: { ...value, active: false } } as const);
    await identity.app.get(EventBus).publish(newEvent({ accountId, kind }));
    await until(async () => (await code(verify(secret))) === 'unauthenticated');
    if (how === 'deleted') return;
    await until(async () => recorded(runner, 'token.use').length > 0);
    expect(recorded(runner, 'token.use')[0]?.actor).toMatchObject({
      kind: AuditActorKind.SERVICE_ACCOUNT,
      id: userId,
      name: 'CI runner (Nightly)',
      email: '',
    });
  });

  it('has only what both its creator and the service account may', async () => {
    expect(await code(make(program(), { permissions: ['users.list'] }))).toBe('invalid_argument');
    expect(await code(make(program(Role.ADMIN), { permissions: ['users.list'] }))).toBe('done');
    for (const name of ['tokens.manage', 'service-accounts.manage', 'profile.manage'])
      expect(await code(make(program(Role.ADMIN), { permissions: [name] }))).toBe('invalid_argument');
    const operator = userCaller(somebody(Role.OWNER, { operator: true }));
    // The operator's Admin has it, and its Owner does not.
    const wide = make(program(Role.ADMIN, { operator: true }), { permissions: ['accounts.list'] }, operator);
    expect(await code(wide)).toBe('invalid_argument');
  });

  it('is made by managers of the account alone, and by no token that lacks the right', async () => {
    const runner = program();
    expect(await code(make(runner, {}, userCaller(somebody(Role.MEMBER))))).toBe('permission_denied');
    const other = userCaller(somebody(Role.OWNER, { accountId: randomUUID() }));
    expect(await code(make(runner, {}, other))).toBe('not_found');
    const token = create(ApiTokenSchema, { permissions: ['service-accounts.read', 'devices.open'] });
    expect(await code(make(runner, {}, userCaller(somebody(Role.OWNER, { token }))))).toBe('permission_denied');
    expect(await code(make(somebody(Role.MEMBER)))).toBe('invalid_argument');
    expect(await code(make(runner, { days: TOKEN_LIMITS.days + 1 }))).toBe('invalid_argument');
  });

  it(`is one of ${TOKEN_LIMITS.perServiceAccount} at most`, async () => {
    const runner = program();
    const made = await Promise.all(
      Array.from({ length: TOKEN_LIMITS.perServiceAccount + 2 }, () => code(make(runner))),
    );
    expect(made.filter((one) => one === 'done')).toHaveLength(TOKEN_LIMITS.perServiceAccount);
  });
});
