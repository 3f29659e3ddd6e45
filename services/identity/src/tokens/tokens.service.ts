import { Inject, Injectable } from '@nestjs/common';
import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { pageOf } from '@warren/platform/database/page';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import {
  coversAction,
  isAction,
  listScope,
  may,
  permissionsOf,
  requireMay,
  serviceAccountPermissions,
  sightOf,
} from '@warren/platform/policy/policy';
import { requireUser, serviceCaller, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import { hintOf, newApiToken } from '@warren/platform/secrets/api.token';
import type {
  CreateServiceAccountTokenRequest,
  CreateTokenRequest,
  ListTokensRequest,
  RevokeTokenRequest,
} from '@warren/proto/identity/v1/tokens';
import { filterText } from '@warren/rules/filter/saved';
import { FILTERED_PERMISSIONS, TOKEN_LIMITS, tokenDays, tokenName, withImplied } from '@warren/rules/tokens';
import { DataSource, IsNull } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { z } from 'zod';
import { hashOf } from '../secrets/secret.ts';
import { SessionStore } from '../sessions/session.store.ts';
import { TokenEntity } from './token.entity.ts';
import { countTokens, deleteFormerTokens, holdMaker, KEPT, revokeTokens, type Revocation } from './tokens.sql.ts';

/** What this service does by itself. */
const IDENTITY = serviceCaller('identity');

const MATCHES = '(lower(t.name) LIKE :pattern OR t.email LIKE :pattern OR lower(t.serviceAccount) LIKE :pattern)';

type NewToken = Pick<CreateTokenRequest, 'name' | 'permissions' | 'filter' | 'days'>;

const schema = z.object({ name: tokenName, filter: filterText.transform((text) => text.trim()), days: tokenDays });

/** What people do with API tokens. */
@Injectable()
export class TokensService {
  constructor(
    private readonly source: DataSource,
    private readonly store: SessionStore,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /**
   * Creates a token of the caller, who has its permissions now. Those that go with them are added.
   * @throws Fault `permission_denied` for a caller that acts by a token; `invalid_argument`; `failed_precondition` when there are too many
   */
  async create(caller: Caller, request: NewToken): Promise<{ secret: string; token: TokenEntity }> {
    const user = requireUser(caller);
    requirePerson(user);
    return this.make(caller, user, { ...request, may: permissionsOf(user) });
  }

  /**
   * Creates a token of a service account, with permissions that both it and the caller have, for no more accounts than the caller's. One
   * that a token makes lasts no longer than that token, and ends with it.
   * @throws Fault `not_found`, `permission_denied`; else as {@link create}
   */
  async createFor(
    caller: Caller,
    { serviceAccount: owner, token: request }: Pick<CreateServiceAccountTokenRequest, 'serviceAccount' | 'token'>,
  ): Promise<{ secret: string; token: TokenEntity }> {
    if (!owner?.serviceAccount || !isUuid(owner.userId))
      throw invalidInput({ field: 'service_account', message: 'expected a service account.' });
    const what = `service account ${owner.userId}`;
    const user = requireMay(caller, 'service-accounts.manage', owner.accountId, what);
    const own = new Set(permissionsOf(user));
    const may = serviceAccountPermissions(owner).filter((name) => own.has(name) && coversAction(user, owner, name));
    return this.make(caller, owner, { name: '', permissions: [], filter: '', days: 0, ...request, may });
  }

  /** @param may the permissions that the token can have */
  private async make(
    caller: Caller,
    owner: UserCaller,
    { may, ...request }: NewToken & { may: readonly string[] },
  ): Promise<{ secret: string; token: TokenEntity }> {
    const { name, filter, days } = checked(request);
    const permissions = grantable(may, request.permissions, filter);
    const { userId, accountId } = owner;
    const serviceAccount = owner.serviceAccount ? owner.name : '';
    const secret = newApiToken();
    const token = await this.outbox.transaction(async (manager, emit) => {
      await deleteFormerTokens(manager, userId);
      requireRoom(await countTokens(manager, { userId, accountId }), owner.serviceAccount);
      const madeBy = requireUser(caller).token?.id ?? null;
      if (madeBy !== null) requireWithin(days, await holdMaker(manager, madeBy));
      const id = uuidv7();
      await manager.insert(TokenEntity, {
        id,
        hash: hashOf(secret),
        hint: hintOf(secret),
        name,
        userId,
        email: owner.email.toLowerCase(),
        accountId,
        permissions,
        filter,
        serviceAccount,
        madeBy,
        expiresAt: () => `now() + make_interval(days => ${days})`,
      });
      const after = { name, permissions, filter, days, ...(serviceAccount ? { service_account: serviceAccount } : {}) };
      emit(auditEvent(caller, { action: 'token.create', accountId, target: targetOf({ id, name }), after }));
      return manager.findOneByOrFail(TokenEntity, { id, accountId });
    });
    return { secret, token };
  }

  /** Lists the caller's tokens, newest first; those that have expired too. A token sees itself. */
  listOwn(caller: Caller): Promise<TokenEntity[]> {
    const { userId, accountId, token } = requireUser(caller);
    const own = { userId, accountId, revokedAt: IsNull() };
    return this.source.manager.find(TokenEntity, {
      where: token ? { ...own, id: token.id } : own,
      order: { createdAt: 'DESC', id: 'ASC' },
      take: KEPT,
    });
  }

  /** Lists the tokens of an account, or of all that the caller may see. @throws Fault as `listScope` */
  async list(
    caller: Caller,
    request: Pick<ListTokensRequest, 'page' | 'accountId'>,
  ): Promise<{ tokens: TokenEntity[]; total: number }> {
    const scope = listScope(caller, 'tokens.manage', request.accountId);
    // An operator user whose role names no account sees the own one.
    const accountId = scope.accountId ?? (may(scope.user, 'users.list-all') ? undefined : scope.user.accountId);
    if (accountId !== undefined && !isUuid(accountId)) throw new Fault('not_found', `account ${accountId}.`);
    const { limit, offset, pattern } = pageOf(request.page);
    const query = this.source.manager.createQueryBuilder(TokenEntity, 't').where('t.revokedAt IS NULL');
    if (accountId !== undefined) query.andWhere('t.accountId = :accountId', { accountId });
    if (pattern !== undefined) query.andWhere(MATCHES, { pattern });
    query.orderBy('t.createdAt', 'DESC').addOrderBy('t.id').take(limit).skip(offset);
    const [tokens, total] = await query.getManyAndCount();
    return { tokens, total };
  }

  /**
   * Revokes a token of the caller, or of an account whose tokens the caller manages. As one of its owner's, a token revokes itself alone.
   * @throws Fault `not_found`, `permission_denied`; `unavailable` if Redis does not answer: then the token is as it was
   */
  async revoke(caller: Caller, { id, own }: Pick<RevokeTokenRequest, 'id' | 'own'>): Promise<void> {
    const user = requireUser(caller);
    const { userId } = user;
    const isAnother = own && user.token !== undefined && user.token.id !== id;
    if (!isUuid(id) || isAnother) throw new Fault('not_found', `token ${id.slice(0, 64)}.`);
    if (!own) {
      const accountId = sightOf(caller);
      const seen = accountId === undefined ? { id } : { id, accountId };
      const token = await this.source.manager.findOneBy(TokenEntity, { ...seen, revokedAt: IsNull() });
      if (!token) throw new Fault('not_found', `token ${id}.`);
      requireMay(caller, 'tokens.manage', token.accountId, `token ${id}`);
    }
    const of = { id, ...(own ? { userId, accountId: user.accountId } : {}) };
    const revoked = await this.end(of, { caller });
    if (revoked === 0) throw new Fault('not_found', `token ${id}.`);
  }

  /** Revokes tokens of a user, because the user may no longer use them. @param outside only those of other accounts */
  async revokeOf(userId: string, reason: string, outside?: string): Promise<void> {
    // No token is of another id.
    if (!isUuid(userId)) return;
    const of = { userId, ...(outside === undefined ? {} : { outside }) };
    await this.end(of, { caller: IDENTITY, reason });
  }

  /** Revokes the tokens of a deleted user, and forgets them. */
  async forget(userId: string): Promise<void> {
    if (!isUuid(userId)) return;
    await this.end({ userId }, { caller: IDENTITY, reason: 'user deleted' });
    await this.source.manager.delete(TokenEntity, { userId });
  }

  /**
   * Ends the Redis entries before the transaction commits. A verification in between waits for the commit (`noteUse`), and finds the token
   * revoked. If this process dies before the commit, the token is as it was.
   * @returns how many there were
   */
  private async end(of: Revocation, { caller, reason }: { caller: Caller; reason?: string }): Promise<number> {
    return this.outbox.transaction(async (manager, emit) => {
      const revoked = await revokeTokens(manager, of);
      const hashes = revoked.map(({ hash }) => hash);
      const because = reason === undefined ? {} : { reason };
      for (const token of revoked) {
        const what = { action: 'token.revoke', accountId: token.accountId, target: targetOf(token) } as const;
        emit(auditEvent(caller, { ...what, ...because, details: { owner: token.email } }));
      }
      await this.store.endTokens(hashes);
      return revoked.length;
    });
  }
}

function checked(request: NewToken): z.output<typeof schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw invalidInput(first ?? { field: 'token', message: 'it does not fit.' }, ...others);
}

/** @returns the permissions with those that go with them @throws Fault `invalid_argument` for one that the user does not have */
function grantable(may: readonly string[], wanted: readonly string[], filter: string): string[] {
  if (wanted.length === 0) throw invalidInput({ field: 'permissions', message: 'expected at least one.' });
  const permissions = withImplied(wanted.slice(0, TOKEN_LIMITS.permissions));
  const own = new Set(may);
  const unknown = wanted.find((name) => !isAction(name));
  if (unknown !== undefined)
    throw invalidInput({ field: 'permissions', message: 'expected permissions.', value: shownValue(unknown) });
  const missing = permissions.find((name) => !own.has(name));
  if (missing !== undefined)
    throw invalidInput({
      field: 'permissions',
      message: 'expected permissions that you have.',
      value: shownValue(missing),
    });
  const wide = filter === '' ? undefined : permissions.find((name) => !FILTERED_PERMISSIONS.includes(name));
  if (wide === undefined) return permissions;
  const message = `a token for some devices has only ${FILTERED_PERMISSIONS.join(' and ')}.`;
  throw invalidInput({ field: 'permissions', message, value: shownValue(wide) });
}

function requirePerson({ token }: UserCaller): void {
  if (token) throw new Fault('permission_denied', 'a token creates no tokens; sign in to the console.');
}

/** @param left whole days that the token that makes one is still in force */
function requireWithin(days: number, left: number | undefined): void {
  if (left === undefined) throw new Fault('permission_denied', 'this token has expired or was revoked.');
  if (days <= left) return;
  const message = `expected at most ${left}: a new token must not outlast the token that creates it.`;
  throw invalidInput({ field: 'days', message, value: `${days}` });
}

function requireRoom({ owner, account }: { owner: number; account: number }, isServiceAccount: boolean): void {
  const { perPerson, perServiceAccount, perAccount } = TOKEN_LIMITS;
  const most = isServiceAccount ? perServiceAccount : perPerson;
  const who = isServiceAccount ? 'the service account has' : 'you have';
  if (owner >= most)
    throw new Fault('failed_precondition', `${who} ${most} tokens; revoke one that is no longer used.`);
  if (account >= perAccount)
    throw new Fault(
      'failed_precondition',
      `the account has ${perAccount} tokens; revoke those that are no longer used.`,
    );
}

function targetOf({ id, name }: Pick<TokenEntity, 'id' | 'name'>): NonNullable<Audited['target']> {
  return { kind: 'token', id, name };
}
