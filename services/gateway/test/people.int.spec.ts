import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role, Status } from '@warren/proto/common/v1/common';
import { Delivery, InvitationsService } from '@warren/proto/tenancy/v1/invitations';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { RATES } from '../src/http/rate.limits.ts';
import { ACCOUNT, HUB, person, TestGateway, type Person } from './gateway.ts';

const ID = '01997b5c-0000-7000-8000-0000000000a1';
const GROUP = '01997b5c-0000-7000-8000-0000000000e1';
const LINK = { email: 'guest@else.test', account: ACCOUNT, token: 't'.repeat(43) };
const USER = {
  id: ID,
  name: 'Ann',
  email: 'ann@hub.test',
  accountId: ACCOUNT,
  accountName: 'Acme',
  groupId: GROUP,
  groupName: 'Members',
  role: Role.MEMBER,
  status: Status.ACTIVE,
};
const INVITATION = {
  id: ID,
  email: LINK.email,
  accountId: ACCOUNT,
  accountName: 'Acme',
  groupId: GROUP,
  groupName: 'Members',
  role: Role.MEMBER,
  delivery: Delivery.FAILING,
  deliveryProblem: 'The mail server does not answer.',
  invitedAt: timestampFromDate(new Date('2026-01-31T08:15:30.000Z')),
  expires: timestampFromDate(new Date('2026-02-07T08:15:30.000Z')),
};

describe('users, invitations and profiles', () => {
  let gateway: TestGateway;
  let owner: Person;
  /** What the services were asked: the method, by whom, and the request without its type. */
  const asked: [string, string, Record<string, unknown>][] = [];
  const note = (method: string, caller: Caller, { ...request }: object): void => {
    const who = caller.kind.case === 'user' ? caller.kind.value.email : `service ${caller.kind.value?.name}`;
    delete (request as Record<string, unknown>)['$typeName'];
    asked.push([method, who, request as Record<string, unknown>]);
  };
  /** A handler that notes and answers. */
  const answers =
    <T extends object>(method: string, answer: T) =>
    async (caller: Caller, request: object): Promise<T> => {
      note(method, caller, request);
      return answer;
    };

  beforeAll(async () => {
    gateway = await TestGateway.start();
    owner = gateway.signIn(person('olga', Role.OWNER));
    gateway.services.serve(UsersService, {
      getUser: answers('getUser', { user: USER }),
      setUserStatus: answers('setUserStatus', { user: USER }),
      moveUser: answers('moveUser', { user: USER }),
      deleteUser: answers('deleteUser', {}),
      updateProfile: answers('updateProfile', { user: USER }),
      getPicture: answers('getPicture', { content: Buffer.from('RIFF') }),
      exportUsers: answers('exportUsers', { users: [{ ...USER, name: '=1+1' }], next: '' }),
    });
    gateway.services.serve(InvitationsService, {
      listInvitations: answers('list', { invitations: [INVITATION], total: 1 }),
      sendInvitations: answers('send', { invitations: [INVITATION] }),
      resendInvitation: answers('resend', { invitation: INVITATION }),
      cancelInvitation: answers('cancel', {}),
      lookUpInvitation: answers('lookUp', { invitation: INVITATION, name: '', invitedBy: 'Olga' }),
      signUp: answers('signUp', {}),
      acceptInvitation: answers('accept', { userId: ID, accountId: ACCOUNT }),
    });
  });
  beforeEach(() => void (asked.length = 0));
  afterAll(() => gateway?.stop());

  const patch = (path: string, body: unknown) => gateway.call('PATCH', path, { as: owner, body });

  it('change by status or by group, not by both and not by neither', async () => {
    expect((await patch(`/api/users/${ID}`, { status: 'Inactive' })).json).toEqual({
      msg: 'user successfully updated',
    });
    await patch(`/api/users/${ID}`, { group: GROUP, old_group: ID, account: ACCOUNT });
    expect(asked).toEqual([
      ['setUserStatus', 'olga@hub.test', { id: ID, status: Status.INACTIVE }],
      ['moveUser', 'olga@hub.test', { id: ID, groupId: GROUP, oldGroupId: ID, accountId: ACCOUNT }],
    ]);
    for (const body of [{}, { status: 'Active', group: GROUP }, { status: 'Gone' }, { group: 'x' }])
      expect((await patch(`/api/users/${ID}`, body)).status).toBe(400);
  });

  it('are read and deleted', async () => {
    expect((await gateway.get(`/api/users/${ID}`, owner)).json.result).toMatchObject({
      id: ID,
      group: { role: 'Member' },
    });
    const deleted = await gateway.call('DELETE', `/api/users/${ID}`, { as: owner, headers: { origin: HUB } });
    expect([deleted.status, deleted.json]).toEqual([200, { msg: 'user successfully removed' }]);
    expect((await gateway.get('/api/users/x', owner)).status).toBe(400);
  });

  it('are exported as a file in which nothing is a formula', async () => {
    const answer = await gateway.get(`/api/users/export?search=ann&account=${ACCOUNT}`, owner);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="users.csv"',
    });
    expect(answer.text).toContain("'=1+1,ann@hub.test,Acme,Members,Member,Active");
    expect(asked[0]?.[2]).toEqual({ accountId: ACCOUNT, groupId: '', search: 'ann', after: '' });
  });

  it('are refused to an export as to any other call', async () => {
    gateway.services.serve(UsersService, {
      exportUsers: () => Promise.reject(new Fault('permission_denied', 'no.')),
      updateProfile: answers('updateProfile', { user: USER }),
      getPicture: answers('getPicture', { content: Buffer.from('RIFF') }),
    });
    expect((await gateway.get('/api/users/export', owner)).json).toMatchObject({ statusCode: 403 });
  });

  it('lists invitations with how far their mail is', async () => {
    const { json } = await gateway.get(`/api/invitations?account=ALL&group=${GROUP}`, owner);
    expect(json).toEqual({
      total: 1,
      invitations: [
        {
          _id: ID,
          id: ID,
          user: LINK.email,
          account: { id: ACCOUNT, name: 'Acme' },
          invitedAt: '2026-01-31T08:15:30.000Z',
          expires: '2026-02-07T08:15:30.000Z',
          group: { id: GROUP, name: 'Members', role: 'Member' },
          delivery: 'Failing',
          delivery_problem: 'The mail server does not answer.',
          void_reason: '',
        },
      ],
    });
    expect(asked[0]?.[2]).toMatchObject({ page: { page: 1, limit: 10 }, accountId: '', groupId: GROUP });
  });

  describe('sending an invitation', () => {
    const body = {
      emails: ['Guest@else.test'],
      groups: ['Members'],
      account: ACCOUNT,
      account_name: 'Acme',
      single: true,
    };
    const send = (more: object) =>
      gateway.call('POST', '/api/send_invitation', { as: owner, body: { ...body, ...more } });

    it('asks for it in the own name', async () => {
      expect((await send({ sender: 'olga@hub.test' })).json).toMatchObject({ msg: 'invitation successfully created' });
      const request = { accountId: ACCOUNT, groups: ['Members'], emails: ['guest@else.test'] };
      expect(asked).toEqual([['send', 'olga@hub.test', request]]);
      expect((await send({ sender: 'max@hub.test' })).status).toBe(400);
    });

    it('says when a user has sent too many within the hour, and not before', async () => {
      const keen = person('keen', Role.OWNER);
      gateway.signIn(keen);
      const emails = Array.from({ length: 10 }, (_, n) => `guest${n}@else.test`);
      const again = () =>
        gateway.call('POST', '/api/send_invitation', { as: keen, body: { ...body, emails, sender: undefined } });
      for (let calls = 0; calls < RATES['invite-user'] / 10; calls++) expect((await again()).status).toBe(200);
      const { status, json, headers } = await again();
      expect([status, json.code]).toEqual([429, 'resource_exhausted']);
      expect(json.message).toMatch(/^Too many: invitations by you, at most 200 in an hour; try again in \d+ s\.$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect((await send({ sender: 'olga@hub.test' })).status).toBe(200);
    });

    it.each([
      [
        { emails: Array.from({ length: 11 }, (_, n) => `a${n}@b.cc`) },
        'Reduce the number of email addresses to no more than 10.',
      ],
      [{ emails: ['nobody'] }, 'Please enter a valid email address.'],
      [{ groups: [] }, 'At least one group is needed.'],
    ])('names what does not fit: %j', async (more, message) => {
      expect((await send(more)).json.message).toContain(message);
    });
  });

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: HUB }, 200],
    [{ referer: `${HUB}/users` }, 200],
    [{ referer: `${HUB}.evil.test/users` }, 403],
    [{ 'sec-fetch-site': 'same-site', referer: `${HUB}/users` }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'http://evil.test', 'sec-fetch-site': 'same-origin' }, 403],
    [{}, 403],
  ])("resends for the hub's own pages alone: %j", async (headers, status) => {
    const answer = await gateway.get(`/api/resend_invitation/${ID}`, owner, headers as Record<string, string>);
    expect([answer.status, asked.length]).toEqual([status, status === 200 ? 1 : 0]);
  });

  it('cancels by id and e-mail', async () => {
    const path = `/api/cancel_invitation/${ID}/${encodeURIComponent('Guest@else.test')}`;
    expect((await gateway.call('DELETE', path, { as: owner, headers: { origin: HUB } })).status).toBe(200);
    expect(asked).toEqual([['cancel', 'olga@hub.test', { id: ID, email: 'Guest@else.test' }]]);
    expect((await gateway.call('DELETE', path, { as: owner, headers: { origin: 'http://evil.test' } })).status).toBe(
      403,
    );
  });

  describe('the link of an invitation', () => {
    it('is looked up and signed up with by anybody', async () => {
      const shown = await gateway.get(`/api/invitation?${new URLSearchParams(LINK)}`);
      expect(shown.json).toMatchObject({ email: LINK.email, account: { name: 'Acme' }, invited_by: 'Olga' });
      const answer = await gateway.call('POST', '/api/signup', { body: { ...LINK, name: 'Gwen' } });
      expect(answer.status).toBe(200);
      expect(asked.map(([method, who]) => [method, who])).toEqual([
        ['lookUp', 'service gateway'],
        ['signUp', 'service gateway'],
      ]);
      expect((await gateway.call('POST', '/api/signup', { body: { ...LINK, name: ' ' } })).status).toBe(400);
    });

    it('is accepted by who is signed in and has no account yet', async () => {
      const invitation = { id: ID, accountId: ACCOUNT, accountName: 'Acme' };
      const guest = gateway.signIn({ ...person('guest', Role.MEMBER), member: { invitation } as never });
      const accepted = await gateway.call('POST', '/api/accept_invitation', { as: guest, body: LINK });
      expect(accepted.json).toMatchObject({ user: ID, account: ACCOUNT });
      expect(asked[0]?.[2]).toMatchObject({
        link: { email: LINK.email, token: LINK.token },
        signedInEmail: 'guest@hub.test',
      });
      expect((await gateway.get('/api/users', guest)).json).toMatchObject({ code: 'need_accept' });
      expect((await gateway.call('POST', '/api/accept_invitation', { body: LINK })).status).toBe(401);
    });

    it('has a token that no error repeats', async () => {
      const body = { ...LINK, token: 'secret'.repeat(30) };
      const { text } = await gateway.call('POST', '/api/accept_invitation', { as: owner, body });
      expect(text).not.toContain('secretsecret');
    });
  });

  it('takes a picture of 1 MiB, re-encoded, where other bodies are small', async () => {
    const noise = randomBytes(500 * 500 * 3);
    const png = await sharp(noise, { raw: { width: 500, height: 500, channels: 3 } })
      .png()
      .toBuffer();
    const picture = `data:image/png;base64,${png.toString('base64')}`;
    expect(picture.length).toBeGreaterThan(100 * 1024);
    expect((await patch('/api/profile', { picture })).json).toMatchObject({ result: { id: ID } });
    const stored = asked[0]?.[2]?.['picture'] as Uint8Array;
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width: 256 });
    expect((await patch('/api/profile', { picture: '' })).status).toBe(200);
    expect(asked[1]?.[2]).toEqual({ picture: new Uint8Array() });
    expect((await patch('/api/profile', { picture: 'x'.repeat(1_600_000) })).status).toBe(413);
    expect((await patch(`/api/users/${ID}`, { picture })).status).toBe(413);
  });

  it('shows a picture, for ever when its version is named', async () => {
    const { status, headers } = await gateway.get(`/api/pictures/${ID}?v=1`, owner);
    expect([status, headers['content-type']]).toEqual([200, 'image/webp']);
    expect(headers['cache-control']).toContain('immutable');
    expect((await gateway.get(`/api/pictures/${ID}`, owner)).headers['cache-control']).toBe('private, no-cache');
    expect((await gateway.get(`/api/pictures/${ID}`)).status).toBe(401);
  });
});
