import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import {
  DeleteScimRequestSchema,
  ListScimRequestSchema,
  ScimAttribute,
  ScimMemberOperation,
} from '@warren/proto/tenancy/v1/scim';
import { randomUUID } from 'node:crypto';
import { insertDomain, insertInvitation } from './rows.ts';
import {
  acme,
  changes,
  domain,
  fields,
  find,
  GATEWAY,
  groupFields,
  groupOf,
  groups,
  heard,
  idOf,
  make,
  setUp,
  source,
  tokenId,
  users,
  zebra,
} from './scim.world.ts';

setUp();

describe('users of SCIM', () => {
  it('are created, found, renamed, disabled and deleted, by the token as the actor', async () => {
    const id = await make('Ann.Lee', { externalId: 'e-1', givenName: 'Ann', familyName: 'Lee' });
    const { users: found, total } = await find(ScimAttribute.USER_NAME, `ANN.LEE@${domain.toUpperCase()}`);
    expect(total).toBe(1);
    expect(found?.[0]).toMatchObject({ id, email: `ann.lee@${domain}`, name: 'Ann Lee', active: true });
    expect(found?.[0]).toMatchObject({ groupName: 'Members', externalId: 'e-1', userName: `Ann.Lee@${domain}` });
    await users.change(GATEWAY, fields({ id, name: 'Ann L.', active: false }));
    expect((await find(ScimAttribute.EXTERNAL_ID, 'e-1')).users?.[0]).toMatchObject({ name: 'Ann L.', active: false });
    await users.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id }));
    expect((await find(ScimAttribute.ID, id)).total).toBe(0);
    const audited = await changes('user.create', 'user.disable', 'user.change_profile', 'user.delete');
    expect(audited.map(({ action }) => action)).toEqual([
      'user.create',
      'user.change_profile',
      'user.disable',
      'user.delete',
    ]);
    for (const { actor } of audited)
      expect(actor).toMatchObject({ kind: AuditActorKind.TOKEN, id: tokenId, name: 'Entra' });
    const active = heard.flatMap(({ kind }) => (kind.case === 'userChanged' ? [kind.value.active] : []));
    expect(active).toEqual([true, false]);
  });

  it.each([
    ['of a foreign domain', 'ann@foreign.test', 'permission_denied'],
    ['of a subdomain', 'ann@sub.{domain}', 'permission_denied'],
    ['that exists, in another case', 'MIA@{domain}', 'already_exists'],
    ['without an address', 'no address', 'invalid_argument'],
    ['with a domain that only looks alike', 'ann@{domain}.', 'invalid_argument'],
  ])('%s are refused', async (_what, userName, code) => {
    const name = userName.replace('{domain}', domain);
    await expect(users.create(GATEWAY, fields({ userName: name }))).rejects.toMatchObject({ code });
  });

  it('are created only at verified domains of the account', async () => {
    await source.query('UPDATE account_domains SET verified = NULL WHERE account_id = $1', [acme]);
    await expect(make('ann')).rejects.toMatchObject({ code: 'permission_denied' });
    await insertDomain(source, zebra, domain);
    await expect(make('ann')).rejects.toMatchObject({ code: 'permission_denied' });
    await source.query('DELETE FROM account_domains WHERE account_id = $1', [zebra]);
    await source.query('UPDATE account_domains SET verified = now(), lost = now() WHERE account_id = $1', [acme]);
    await expect(make('ann')).resolves.toMatch(/-7/);
  });

  it('keep their address, which is not taken from an account to another', async () => {
    const id = await make('ann');
    await expect(users.change(GATEWAY, fields({ id, userName: `bob@${domain}` }))).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    const [group] = await source.query<{ id: string }[]>(
      `SELECT id FROM groups WHERE account_id = $1 AND name = 'Members'`,
      [zebra],
    );
    await source.query(`UPDATE users SET account_id = $2, group_id = $3 WHERE id = $1`, [id, zebra, group?.id]);
    await source.query('DELETE FROM scim_users WHERE user_id = $1', [id]);
    await expect(make('ann')).rejects.toMatchObject({ code: 'already_exists' });
    for (const work of [
      users.change(GATEWAY, fields({ id, active: false })),
      users.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id })),
    ])
      await expect(work).rejects.toMatchObject({ code: 'not_found' });
    expect((await find(ScimAttribute.ID, id)).total).toBe(0);
  });

  it('with the role Owner are neither changed nor deleted', async () => {
    const id = await idOf('owner');
    for (const work of [
      () => users.change(GATEWAY, fields({ id, active: false })),
      () => users.change(GATEWAY, fields({ id, name: 'Other' })),
      () => users.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id })),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'permission_denied' });
    await users.change(GATEWAY, fields({ id, externalId: 'e-owner', active: true }));
    expect((await find(ScimAttribute.EXTERNAL_ID, 'e-owner')).users?.[0]?.id).toBe(id);
  });

  it('count towards the quota', async () => {
    await source.query(`UPDATE accounts SET quotas = '{"users": 3}' WHERE id = $1`, [acme]);
    await expect(make('ann')).rejects.toMatchObject({ code: 'quota_reached' });
    expect(await idOf('ann')).toBe('');
  });

  it('end an invitation to the role Member, and take the place of no other', async () => {
    await insertInvitation(source, { account: acme, email: `ann@${domain}`, group: 'Members' });
    await insertInvitation(source, { account: acme, email: `bob@${domain}`, group: 'Admins' });
    await make('ann');
    await expect(make('bob')).rejects.toMatchObject({ code: 'permission_denied' });
    const left = await source.query<{ email: string }[]>('SELECT email FROM invitations WHERE account_id = $1', [acme]);
    expect(left.map(({ email }) => email)).toEqual([`bob@${domain}`]);
    expect(await changes('invitation.cancel')).toMatchObject([
      { actor: { id: tokenId }, target: { name: `ann@${domain}` } },
    ]);
  });
});

describe('groups of SCIM', () => {
  const members = (operation: ScimMemberOperation, ...ids: string[]) => [{ operation, users: ids }];
  const { ADD, REMOVE, REPLACE } = ScimMemberOperation;

  it('are created, renamed, filled and deleted; users are in the group they were last added to', async () => {
    const [ann, bob] = [await make('ann'), await make('bob')];
    const { group } = await groups.create(
      GATEWAY,
      groupFields({ name: 'Field Team', externalId: 'g-1', members: members(ADD, ann) }),
    );
    const id = group?.id ?? '';
    expect(group).toMatchObject({ name: 'Field Team', externalId: 'g-1', members: [{ id: ann }] });
    await groups.change(GATEWAY, groupFields({ id, name: 'North', members: members(ADD, bob) }));
    expect([await groupOf(ann), await groupOf(bob)]).toEqual(['North', 'North']);
    await groups.change(GATEWAY, groupFields({ id, members: members(REMOVE, ann) }));
    expect([await groupOf(ann), await groupOf(bob)]).toEqual(['Members', 'North']);
    await groups.change(GATEWAY, groupFields({ id, members: members(REPLACE, ann) }));
    expect([await groupOf(ann), await groupOf(bob)]).toEqual(['North', 'Members']);
    await groups.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id }));
    expect(await groupOf(ann)).toBe('Members');
    const done = (await changes('group.create', 'group.rename', 'group.delete')).map(({ action }) => action);
    expect(done).toEqual(['group.create', 'group.rename', 'group.delete']);
    expect((await changes('user.move')).every(({ actor }) => actor?.id === tokenId)).toBe(true);
  });

  it('with a wider role than Member are out of reach, and their users are not moved', async () => {
    const all = await groups.list(GATEWAY, create(ListScimRequestSchema, { tokenId, limit: 100 }));
    expect(all.groups?.map(({ name }) => name).sort()).toEqual(['Developers', 'Members']);
    await expect(groups.create(GATEWAY, groupFields({ name: 'admins' }))).rejects.toMatchObject({
      code: 'already_exists',
    });
    const [admins] = await source.query<{ id: string }[]>(
      `SELECT id FROM groups WHERE account_id = $1 AND name = 'Admins'`,
      [acme],
    );
    const ann = await make('ann');
    const wide = groupFields({ id: admins?.id ?? '', members: members(ADD, ann) });
    await expect(groups.change(GATEWAY, wide)).rejects.toMatchObject({ code: 'not_found' });
    const developers = all.groups?.find(({ name }) => name === 'Developers')?.id ?? '';
    for (const who of ['owner', 'admin']) {
      const moved = groupFields({ id: developers, members: members(ADD, await idOf(who)) });
      await expect(groups.change(GATEWAY, moved)).rejects.toMatchObject({ code: 'permission_denied' });
    }
    await expect(groups.change(GATEWAY, groupFields({ id: developers, name: 'Devs' }))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    const gone = create(DeleteScimRequestSchema, { tokenId, id: developers });
    await expect(groups.delete(GATEWAY, gone)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('take nobody of another account, and not too many', async () => {
    const { groups: [first] = [] } = await groups.list(GATEWAY, create(ListScimRequestSchema, { tokenId, limit: 1 }));
    const id = first?.id ?? '';
    const [other] = await source.query<{ id: string }[]>('SELECT id FROM users WHERE account_id <> $1 LIMIT 1', [acme]);
    for (const one of [other?.id ?? '', randomUUID(), 'no id'])
      await expect(groups.change(GATEWAY, groupFields({ id, members: members(ADD, one) }))).rejects.toMatchObject({
        problems: [{ field: 'members' }],
      });
    const many = Array.from({ length: 10_000 }, () => randomUUID());
    await expect(groups.change(GATEWAY, groupFields({ id, members: members(ADD, ...many) }))).rejects.toMatchObject({
      problems: [{ field: 'members' }],
    });
  });
});
