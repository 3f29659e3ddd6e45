import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { Role, Status } from '@warren/proto/common/v1/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { ACCOUNT, OTHER_ACCOUNT, person, TestGateway, type Answer } from './gateway.ts';

const GROUP = '01997b5c-0000-7000-8000-0000000000e1';
const superAdmin = person('root', Role.SUPER_ADMIN, { operator: true });

describe('accounts and groups over REST', () => {
  let gateway: TestGateway;
  /** What tenancy was asked: method, who, request. */
  let asked: [string, Caller, Record<string, unknown>][];
  let fails: Fault | undefined;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    gateway.signIn(superAdmin);
    const answer =
      <T>(name: string, value: T) =>
      async (caller: Caller, request: object) => {
        asked.push([name, caller, request as Record<string, unknown>]);
        if (fails) throw fails;
        return value;
      };
    const account = { id: ACCOUNT, name: 'Acme', status: Status.ACTIVE };
    const group = { id: GROUP, name: 'Crew', accountId: ACCOUNT, accountName: 'Acme', role: Role.MEMBER, userCount: 2 };
    gateway.services.serve(TenancyService, {
      resolveMember: async () => superAdmin.member as object,
      getAccount: answer('getAccount', { account }),
      createAccount: answer('createAccount', { account }),
      assignOwner: answer('assignOwner', { invited: true }),
      setAccountStatus: answer('setAccountStatus', {}),
      deleteAccount: answer('deleteAccount', {}),
      createGroup: answer('createGroup', { group }),
      getGroup: answer('getGroup', { group }),
      deleteGroup: answer('deleteGroup', { movedTo: 'Members', movedUsers: 2 }),
      listGroupNames: answer('listGroupNames', { groups: [{ id: GROUP, name: 'Crew', role: Role.MEMBER }] }),
    });
  });
  afterAll(() => gateway?.stop());

  beforeEach(() => {
    asked = [];
    fails = undefined;
  });

  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    gateway.call(method, path, { as: superAdmin, body: body ?? {} });
  const fields = ({ json }: Answer) => (json.errors as { field: string }[]).map(({ field }) => field);

  it.each([
    [
      'POST',
      '/api/accounts/new',
      { name: ' Acme ' },
      201,
      'account successfully created',
      'createAccount',
      { name: 'Acme' },
    ],
    [
      ...(['POST', '/api/accounts/assign', { owner: ' Ann@Acme.test', account: ACCOUNT, is_new: 'new' }, 200] as const),
      ...(['owner successfully assigned', 'assignOwner'] as const),
      { accountId: ACCOUNT, email: 'ann@acme.test', newOwner: true },
    ],
    [
      ...(['PATCH', `/api/accounts/${ACCOUNT}/status/Inactive`, {}, 200, 'account successfully updated'] as const),
      ...(['setAccountStatus', { id: ACCOUNT, status: Status.INACTIVE }] as const),
    ],
    ['DELETE', `/api/accounts/${ACCOUNT}`, {}, 200, 'account successfully removed', 'deleteAccount', { id: ACCOUNT }],
    [
      ...([
        'POST',
        '/api/groups/new',
        { name: '-Crew-', role: 'Admin', account: ACCOUNT, default: 'No' },
        201,
      ] as const),
      ...([
        'group successfully created',
        'createGroup',
        { accountId: ACCOUNT, name: 'Crew', role: Role.ADMIN },
      ] as const),
    ],
    ['DELETE', `/api/groups/${GROUP}`, {}, 200, 'group successfully removed', 'deleteGroup', { id: GROUP }],
  ] as [string, string, object, number, string, string, object][])(
    '%s %s does it as the signed-in user',
    async (method, path, body, status, msg, name, request) => {
      const answer = await send(method, path, body);
      expect(answer.status).toBe(status);
      expect(answer.json).toMatchObject({ msg });
      const [[called, caller, got]] = asked as [[string, Caller, object]];
      expect([called, requireUser(caller).role]).toEqual([name, Role.SUPER_ADMIN]);
      expect(got).toMatchObject(request);
    },
  );

  it('shows what was made, who was invited, and where people went', async () => {
    expect((await send('POST', '/api/accounts/new', { name: 'Acme' })).json.account).toMatchObject({ _id: ACCOUNT });
    expect((await send('POST', '/api/accounts/assign', { owner: 'a@b.c', account: ACCOUNT })).json.invited).toBe(true);
    expect((await send('DELETE', `/api/groups/${GROUP}`)).json).toMatchObject({ moved_to: 'Members', moved_users: 2 });
    const shown = { _id: GROUP, id: GROUP, name: 'Crew', role: 'Member', default: 'No' };
    expect((await gateway.get(`/api/groups/${GROUP}`, superAdmin)).json.msg).toMatchObject({ ...shown, user_count: 2 });
    expect((await gateway.get(`/api/get_groups/${ACCOUNT}`, superAdmin)).json).toEqual({ groups: [shown] });
    expect((await gateway.get(`/api/accounts/${ACCOUNT}`, superAdmin)).json.result).toMatchObject({ name: 'Acme' });
  });

  it.each([
    ['the id', () => superAdmin.member.user?.['id']],
    ['the e-mail', () => superAdmin.member.user?.['email']],
    ['the e-mail in capitals', () => String(superAdmin.member.user?.['email']).toUpperCase()],
  ])('takes %s of the signed-in user as identity and sender', async (_what, who) => {
    expect((await send('POST', '/api/accounts/new', { name: 'Acme', identity: who() })).status).toBe(201);
    const owner = { owner: 'a@b.c', account: ACCOUNT, sender: who() };
    expect((await send('POST', '/api/accounts/assign', owner)).status).toBe(200);
  });

  it.each(['', OTHER_ACCOUNT, 'somebody@else.test'])('accepts no other (%j) as identity or sender', async (who) => {
    const created = await send('POST', '/api/accounts/new', { name: 'Acme', identity: who });
    expect([created.status, fields(created)]).toEqual([400, ['identity']]);
    const assigned = await send('POST', '/api/accounts/assign', { owner: 'a@b.c', account: ACCOUNT, sender: who });
    expect([assigned.status, fields(assigned)]).toEqual([400, ['sender']]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['POST', '/api/accounts/new', {}, ['name'], 'The account name is required'],
    ['POST', '/api/accounts/new', { name: ['x'] }, ['name'], 'The account name is required'],
    ['POST', '/api/accounts/new', { name: '<script>' }, ['name'], 'Invalid character'],
    ['POST', '/api/accounts/new', { name: "x' OR 1=1" }, ['name'], 'Invalid character'],
    ['POST', '/api/accounts/new', { name: 'x'.repeat(65) }, ['name'], 'At most 64'],
    ['POST', '/api/accounts/assign', {}, ['owner', 'account'], 'The owner email is required'],
    [
      'POST',
      '/api/accounts/assign',
      { owner: 'a@b', account: ACCOUNT },
      ['owner'],
      'Please enter a valid email address.',
    ],
    ['PATCH', `/api/accounts/${ACCOUNT}/status/Disabled`, {}, ['status'], 'Inactive'],
    ['PATCH', '/api/accounts/7/status/Active', {}, ['id'], 'expected an id'],
    ['DELETE', '/api/accounts/7', {}, ['id'], 'expected an id'],
    ['POST', '/api/groups/new', {}, ['name', 'role', 'account'], 'The group name is required'],
    [
      'POST',
      '/api/groups/new',
      { name: '--', role: 'Admin', account: ACCOUNT },
      ['name'],
      'The group name is required',
    ],
    ['POST', '/api/groups/new', { name: 'Crew', role: 'SuperAdmin', account: ACCOUNT }, ['role'], 'Admin'],
    ['POST', '/api/groups/new', { name: 'Crew', role: 'Admin', account: ACCOUNT, default: 'Yes' }, ['default'], 'No'],
    ['DELETE', "/api/groups/x'--", {}, ['id'], 'expected an id'],
  ] as [string, string, object, string[], string][])(
    '%s %s refuses %j by field',
    async (method, path, body, wrong, text) => {
      const answer = await send(method, path, body);
      expect([answer.status, fields(answer)]).toEqual([400, wrong]);
      expect(answer.json.message).toContain(text);
      expect(asked).toEqual([]);
    },
  );

  it('says in the words of the catalogue that a name is taken', async () => {
    fails = new Fault('already_exists', 'A account with that name already exists.');
    const { status, json } = await send('POST', '/api/accounts/new', { name: 'Acme' });
    expect([status, json]).toEqual([
      409,
      { statusCode: 409, code: 'already_exists', message: 'Conflict: A account with that name already exists.' },
    ]);
  });
});
