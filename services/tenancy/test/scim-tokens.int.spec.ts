import { describe, expect, it } from '@jest/globals';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { AuditActorKind, AuditOutcome } from '@warren/proto/audit/v1/audit';
import { Role } from '@warren/proto/common/v1/common';
import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import { REFUSALS_A_MINUTE } from '../src/scim/scim.refusals.ts';
import { KEPT_REVOKED } from '../src/scim/scim.tokens.sql.ts';
import { user } from './callers.ts';
import { acme, changes, find, GATEWAY, setUp, source, tokenId, tokens, zebra } from './scim.world.ts';

setUp();

describe('tokens of SCIM', () => {
  it('are two at most, of the own account, and end when they are revoked', async () => {
    const owner = user(acme, Role.OWNER);
    const second = await tokens.create(owner, { accountId: acme, name: 'Okta', days: 365 });
    await expect(tokens.create(owner, { accountId: acme, name: 'Third', days: 1 })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await expect(tokens.list(user(acme, Role.ADMIN), { accountId: acme })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(tokens.list(owner, { accountId: zebra })).rejects.toMatchObject({ code: 'not_found' });
    await expect(tokens.revoke(user(zebra, Role.OWNER), { accountId: zebra, id: tokenId })).rejects.toMatchObject({
      code: 'not_found',
    });
    const { secret, token } = second;
    await tokens.revoke(owner, { accountId: acme, id: token.id ?? '' });
    await expect(tokens.verify(GATEWAY, { secret })).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(find(ScimAttribute.UNSPECIFIED, '', token.id)).rejects.toMatchObject({ code: 'unauthenticated' });
    const rows = await source.query<object[]>('SELECT * FROM scim_tokens');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('leave an event when they are used while they are not in force, and some a minute', async () => {
    const owner = user(acme, Role.OWNER);
    const refused = (secret: string) =>
      expect(tokens.verify(GATEWAY, { secret })).rejects.toMatchObject({ code: 'unauthenticated' });
    const { secret, token } = await tokens.create(owner, { accountId: acme, name: 'Okta', days: 1 });
    const id = token.id ?? '';
    await source.query(`UPDATE accounts SET status = 'Inactive' WHERE id = $1`, [acme]);
    await refused(secret);
    await source.query(`UPDATE accounts SET status = 'Active' WHERE id = $1`, [acme]);
    await source.query('UPDATE scim_tokens SET expires = now() WHERE id = $1', [id]);
    await refused(secret);
    await tokens.revoke(owner, { accountId: acme, id });
    await refused(secret);
    await refused(newApiToken());
    const events = await changes('token.use');
    expect(events.map(({ reason }) => reason)).toEqual(['account disabled', 'expired', 'revoked']);
    for (const event of events)
      expect(event).toMatchObject({
        outcome: AuditOutcome.REFUSED,
        actor: { kind: AuditActorKind.TOKEN, id, name: 'Okta', accountId: acme },
        target: { kind: 'token', id, name: 'Okta' },
      });
    for (let count = 3; count < 3 * REFUSALS_A_MINUTE; count++) await refused(secret);
    const { length } = await changes('token.use');
    expect(length).toBeGreaterThanOrEqual(REFUSALS_A_MINUTE);
    // A minute may end meanwhile.
    expect(length).toBeLessThanOrEqual(2 * REFUSALS_A_MINUTE);
  });

  it('that are revoked are remembered, the last of each account', async () => {
    const owner = user(acme, Role.OWNER);
    await source.query(
      `INSERT INTO revoked_scim_tokens (id, account_id, name, hash, revoked)
       SELECT gen_random_uuid(), a, 'x', gen_random_uuid(), now() - interval '1 day' FROM unnest($1::uuid[]) a, generate_series(1, 120)`,
      [[acme, zebra]],
    );
    const { secret, token } = await tokens.create(owner, { accountId: acme, name: 'Okta', days: 1 });
    await tokens.revoke(owner, { accountId: acme, id: token.id ?? '' });
    const count = async (account: string) => {
      const rows = 'SELECT count(*)::int AS count FROM revoked_scim_tokens WHERE account_id = $1';
      return (await source.query<{ count: number }[]>(rows, [account]))[0]?.count;
    };
    expect([await count(acme), await count(zebra)]).toEqual([KEPT_REVOKED, 120]);
    await expect(tokens.verify(GATEWAY, { secret })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await changes('token.use')).toMatchObject([{ reason: 'revoked', actor: { id: token.id } }]);
  });

  it('last a year at most, and are none of the operator or of a disabled account', async () => {
    const [operator] = await source.query<{ id: string }[]>('SELECT id FROM accounts WHERE operator');
    const boss = user(operator?.id ?? '', Role.SUPER_ADMIN, true);
    await expect(tokens.create(boss, { accountId: acme, name: 'x', days: 366 })).rejects.toMatchObject({
      problems: [{ field: 'days' }],
    });
    await expect(tokens.create(boss, { accountId: operator?.id ?? '', name: 'x', days: 1 })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await source.query(`UPDATE accounts SET status = 'Inactive' WHERE id = $1`, [acme]);
    await expect(find(ScimAttribute.UNSPECIFIED, '')).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
