import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Sql } from '@warren/platform/database/sql';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type {
  CheckEnrolmentTokenResponseSchema,
  CreateEnrolmentTokenResponseSchema,
} from '@warren/proto/devices/v1/devices';
import { labels as labelsSchema, type Labels } from '@warren/rules/labels';
import { LIMITS } from '@warren/rules/limits';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { AccountDirectory } from '../accounts/account.directory.ts';
import { check } from '../facts/facts.ts';
import { DevicesQuota } from '../quotas/devices.quota.ts';
import type { HeldAccount } from '../quotas/quotas.sql.ts';
import {
  insertToken,
  lockToken,
  readToken,
  revokeToken,
  revokeTokensOf,
  spendToken,
  type TokenRow,
} from './enrolment.sql.ts';
import { newToken, tokenHash } from './token.ts';

/** The name of a token in error texts. */
const TOKEN = 'Enrolment token';

/** Tokens that admit devices into an account. */
@Injectable()
export class TokensService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AccountDirectory,
    private readonly quota: DevicesQuota,
  ) {}

  /** Creates a token for one hour and `uses` devices (1 if 0). Only this response contains the token itself. */
  async create(
    caller: Caller,
    request: { accountId: string; uses: number; labels?: Labels },
  ): Promise<MessageInitShape<typeof CreateEnrolmentTokenResponseSchema>> {
    const { accountId, uses } = request;
    const labels = check('labels', labelsSchema, request.labels ?? {});
    const user = requireMay(caller, 'devices.enrol', accountId);
    const input = { accountId, uses: uses || 1, createdBy: user.userId, labels };
    const { id, token, expires } = await this.issue(caller, input);
    const room = await this.quota.room(this.source.manager, await this.accounts.get(accountId));
    return {
      id,
      token,
      expires: timestampFromDate(expires),
      ...(Number.isFinite(room) ? { room: Math.max(0, room) } : {}),
    };
  }

  /** Creates a token without a permission check, which is up to the caller. */
  async issue(
    caller: Caller,
    input: { accountId: string; uses: number; createdBy: string | null; labels?: Labels },
  ): Promise<{ id: string; token: string; expires: Date }> {
    const { accountId, uses, createdBy, labels = {} } = input;
    if (!Number.isInteger(uses) || uses < 1 || uses > LIMITS.enrolDevices)
      throw invalidInput({ field: 'devices', message: `${uses} came, 1 to ${LIMITS.enrolDevices} are possible.` });
    const account = await this.accounts.get(accountId);
    if (!account.active)
      throw new Fault('failed_precondition', `${account.name} takes no new devices.`, { subject: 'Account disabled' });
    const token = newToken();
    const row = { id: uuidv7(), accountId, hash: tokenHash(token), uses, createdBy, labels };
    return this.outbox.transaction(async (manager, emit) => {
      const issued = await insertToken(manager, row);
      if (!issued) throw new Fault('not_found', `account ${accountId}.`);
      const details = { devices: uses, labels, expires: issued.expires.toISOString() };
      emit(auditEvent(caller, { action: 'enrolment_token.create', accountId, target: targetOf(issued), details }));
      return { ...issued, token };
    });
  }

  /** Gateway only. @throws Fault `unauthenticated` with the reason for an invalid token */
  async check(
    caller: Caller,
    { accountId, token }: { accountId: string; token: string },
  ): Promise<MessageInitShape<typeof CheckEnrolmentTokenResponseSchema>> {
    requireService(caller, 'gateway');
    const row = await find(this.source, accountId, token);
    const refusal = refusalOf(row);
    if (!row || refusal) throw new Fault('unauthenticated', `${refusal}.`, { subject: TOKEN });
    return { usesLeft: row.uses_left, expires: timestampFromDate(row.expires) };
  }

  /** Revokes a token; its devices stay. Idempotent. */
  async revoke(caller: Caller, { accountId, id }: { accountId: string; id: string }): Promise<Record<string, never>> {
    requireMay(caller, 'devices.enrol', accountId, `enrolment token ${id}`);
    return this.outbox.transaction(async (manager, emit) => {
      const isRevoked = isUuid(id) && isUuid(accountId) ? await lockToken(manager, accountId, id) : undefined;
      if (isRevoked === undefined) throw new Fault('not_found', `enrolment token ${id}.`);
      if (isRevoked) return {};
      await revokeToken(manager, accountId, id);
      emit(auditEvent(caller, { action: 'enrolment_token.revoke', accountId, target: targetOf({ id }) }));
      return {};
    });
  }

  /** Revokes the tokens of a user who lost the right. They stay revoked if the right returns. */
  async revokeOf(userId: string): Promise<void> {
    await revokeTokensOf(this.source, userId);
  }

  /**
   * Consumes one use of a token in the transaction that adds the device: a rollback returns it. Locks the account against deletion
   * and other new devices until the transaction ends.
   * @returns the account, the id of the token and the labels that it gives
   * @throws Fault `unauthenticated` with the reason for an invalid token
   */
  async spend(
    manager: EntityManager,
    accountId: string,
    token: string,
  ): Promise<{ account: HeldAccount; tokenId: string; labels: Labels }> {
    if (isUuid(accountId)) {
      const spent = await spendToken(manager, accountId, tokenHash(token));
      const account = await this.quota.hold(manager, accountId);
      if (spent && account?.active) return { account, tokenId: spent.id, labels: spent.labels };
    }
    const refusal = refusalOf(await find(manager, accountId, token)) ?? 'used up';
    throw new Fault('unauthenticated', `${refusal}.`, { subject: TOKEN });
  }
}

function targetOf({ id }: { id: string }): { kind: 'enrolment_token'; id: string } {
  return { kind: 'enrolment_token', id };
}

async function find(sql: Sql, accountId: string, token: string): Promise<TokenRow | undefined> {
  return isUuid(accountId) ? readToken(sql, accountId, tokenHash(token)) : undefined;
}

/** Why a token is invalid; undefined for a valid one. */
function refusalOf(row: TokenRow | undefined): string | undefined {
  if (!row) return 'unknown';
  if (row.revoked) return 'revoked';
  if (row.expired) return 'expired';
  if (row.uses_left < 1) return 'used up';
  return row.active ? undefined : 'its account is disabled';
}
