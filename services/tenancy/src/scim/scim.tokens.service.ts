import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { scimTokenActor } from '@warren/platform/audit/audit.actor';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { plainText } from '@warren/platform/audit/plain';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { hintOf, isApiToken, newApiToken } from '@warren/platform/secrets/api.token';
import type { ScimTokenSchema } from '@warren/proto/tenancy/v1/scim';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { tokenDays, tokenName } from '@warren/rules/tokens';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { check } from '../contract/check.ts';
import { ScimRefusals } from './scim.refusals.ts';
import { ScimTokenEntity } from './scim.token.entity.ts';
import { insertToken, refusedToken, revokeToken, tokenOfHash } from './scim.tokens.sql.ts';

type Token = MessageInitShape<typeof ScimTokenSchema>;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** The tokens that identity providers provision accounts with. */
@Injectable()
export class ScimTokensService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly refusals: ScimRefusals,
  ) {}

  /**
   * Creates a token of an account.
   * @throws Fault `permission_denied` also for a caller that acts by an API token; `invalid_argument`; `failed_precondition` for the
   *   operator's account, and for an account that has as many as it may have
   */
  async create(
    caller: Caller,
    request: { accountId: string; name: string; days: number },
  ): Promise<{ secret: string; token: Token }> {
    const { accountId } = request;
    const user = requireMay(caller, 'scim.manage', accountId);
    if (user.token) throw new Fault('permission_denied', 'a token creates no tokens; sign in to the console.');
    const name = check('name', tokenName, request.name);
    const days = check('days', tokenDays, request.days);
    const secret = newApiToken();
    const id = uuidv7();
    const row = await this.outbox.transaction(async (manager, emit) => {
      const account = await lockAccount(manager, accountId, 'change');
      if (account.operator)
        throw new Fault('failed_precondition', `${account.name} runs this hub, and is not provisioned by SCIM.`);
      if ((await manager.countBy(ScimTokenEntity, { accountId })) >= SCIM_LIMITS.tokens)
        throw new Fault(
          'failed_precondition',
          `the account has ${SCIM_LIMITS.tokens} SCIM tokens; revoke one that is no longer used.`,
        );
      const stored = { hash: hashOf(secret), hint: hintOf(secret), createdBy: user.email, days };
      const created = await insertToken(manager, { id, accountId, name, ...stored });
      const target = { kind: 'token', id, name } as const;
      emit(auditEvent(caller, { action: 'token.create', accountId, target, after: { name, days, scim: true } }));
      return created;
    });
    return { secret, token: message(row) };
  }

  /** Lists the tokens of an account, newest first, with those that have expired. */
  async list(caller: Caller, { accountId }: { accountId: string }): Promise<{ tokens: Token[] }> {
    requireMay(caller, 'scim.manage', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId.slice(0, 64)}.`);
    const order = { created: 'DESC', id: 'ASC' } as const;
    return { tokens: (await this.source.manager.find(ScimTokenEntity, { where: { accountId }, order })).map(message) };
  }

  /** Revokes a token: it changes nothing after the answer. @throws Fault `not_found`, `permission_denied` */
  async revoke(caller: Caller, { accountId, id }: { accountId: string; id: string }): Promise<Record<string, never>> {
    requireMay(caller, 'scim.manage', accountId);
    return this.outbox.transaction(async (manager, emit) => {
      const known = isUuid(accountId) && isUuid(id);
      const token = known ? await revokeToken(manager, accountId, id) : undefined;
      if (!token) throw new Fault('not_found', `SCIM token ${id.slice(0, 64)}.`);
      const target = { kind: 'token', id, name: token.name } as const;
      emit(auditEvent(caller, { action: 'token.revoke', accountId, target, details: { scim: true } }));
      return {};
    });
  }

  /** Verifies the secret of a token, and notes its use. @throws Fault `unauthenticated` for a secret of no token that is in force */
  async verify(
    caller: Caller,
    { secret }: { secret: string },
  ): Promise<{ tokenId: string; accountId: string; name: string }> {
    requireService(caller, 'gateway');
    const hash = isApiToken(secret) ? hashOf(secret) : undefined;
    const token = hash === undefined ? undefined : await tokenOfHash(this.source, hash);
    if (!token) {
      if (hash !== undefined) await this.noteRefusal(caller, hash);
      throw new Fault('unauthenticated', 'the SCIM token is unknown, expired or revoked.');
    }
    const { id, accountId, name, useDue } = token;
    const use = { used: () => 'now()', usedFrom: plainText(caller.origin?.address) };
    if (useDue) await this.source.manager.update(ScimTokenEntity, { id, accountId }, use);
    return { tokenId: id, accountId, name };
  }

  /** Records the use of a token that is not in force. An unknown secret identifies no account. */
  private async noteRefusal(caller: Caller, hash: string): Promise<void> {
    const token = await refusedToken(this.source, hash);
    if (!token || !this.refusals.admits(token.id)) return;
    const { id, name, reason, accountId } = token;
    const actor = scimTokenActor(token, accountId);
    const what = { action: 'token.use', outcome: 'refused', accountId, actor, reason } as const;
    const event = auditEvent(caller, { ...what, target: { kind: 'token', id, name }, details: { scim: true } });
    await this.outbox.transaction(async (_manager, emit) => emit(event));
  }
}

function message(row: ScimTokenEntity): Token {
  const { id, name, hint, accountId, createdBy, usedFrom, used } = row;
  const times = { created: timestampFromDate(row.created), expires: timestampFromDate(row.expires) };
  return {
    id,
    name,
    hint,
    accountId,
    createdBy,
    usedFrom,
    ...times,
    ...(used ? { used: timestampFromDate(used) } : {}),
  };
}
