import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { invalidInput } from '@warren/platform/errors/fault';
import type { AuditCaller } from '@warren/platform/audit/audit.event';
import { plainText } from '@warren/platform/audit/plain';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { ListRefusedSignInsRequest } from '@warren/proto/identity/v1/identity';
import { DataSource, LessThan, MoreThan } from 'typeorm';
import { v7 as uuidv7, validate } from 'uuid';
import { RefusedSignInEntity } from './refused.sign-in.entity.ts';
import { deleteSurplus } from './refused.sign-ins.sql.ts';

/** How many are kept of each provider and kind, so that forged answers don't push out those that matter. */
export const MOST_KEPT = 50;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
const MAX_LISTED = 200;
const MAX_DETAILS = 4_096;

/** A refusal as the gateway reports it. */
export interface Refusal {
  provider: string;
  reason: string;
  kind?: string;
  /** JSON object. */
  details?: string;
  email?: string;
  accountId?: string;
}

/** Keeps the last refused sign-ins, for administrators to find out which check failed. */
@Injectable()
export class RefusedSignIns {
  constructor(private readonly source: DataSource) {}

  async keep({ requestId = '', origin }: AuditCaller, refusal: Refusal): Promise<void> {
    const { reason, email = '', accountId = '' } = refusal;
    const { address: remoteAddress = '', userAgent = '' } = origin ?? {};
    const [provider, kind] = [refusal.provider.slice(0, 64), (refusal.kind || 'other').slice(0, 32)];
    await this.source.transaction(async (manager) => {
      await manager.insert(RefusedSignInEntity, {
        id: uuidv7(),
        provider,
        kind,
        reason: plainText(reason),
        email: email.slice(0, 254),
        accountId: validate(accountId) ? accountId : null,
        details: detailsIn(refusal.details) as never,
        remoteAddress: plainText(remoteAddress),
        userAgent: plainText(userAgent),
        requestId: plainText(requestId),
      });
      await deleteSurplus(manager, { provider, kind, most: MOST_KEPT, days: KEPT_DAYS });
    });
  }

  /**
   * Lists refused sign-ins, newest first: of all people, or of those whom the caller administers.
   * @throws Fault as `listScope`; `invalid_argument` for a wrong page
   */
  async list(caller: Caller, request: ListRefusedSignInsRequest) {
    const { accountId } = listScope(caller, 'sign-ins.diagnose', request.accountId);
    const { provider, before } = request;
    if (before && !validate(before)) throw invalidInput({ field: 'before', message: 'expected the id of an entry.' });
    const limit = Math.min(request.limit || MAX_LISTED, MAX_LISTED);
    const rows = await this.source.manager.find(RefusedSignInEntity, {
      where: {
        ...(accountId === undefined ? {} : { accountId }),
        ...(provider ? { provider } : {}),
        ...(before ? { id: LessThan(before) } : {}),
        // Older ones are deleted with the next refusal.
        time: MoreThan(new Date(Date.now() - KEPT_DAYS * DAY_MS)),
      },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      signIns: page.map(({ time, accountId: account, details, ...row }) => ({
        ...row,
        time: timestampFromDate(time),
        accountId: account ?? '',
        details: JSON.stringify(details),
      })),
      next: rows.length > limit ? (page.at(-1)?.id ?? '') : '',
    };
  }
}

/** PostgreSQL takes neither NUL nor half a surrogate pair in JSON. */
const clean = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

function detailsIn(text = ''): Record<string, unknown> {
  if (text.length > MAX_DETAILS) return {};
  try {
    const parsed = JSON.parse(text, clean) as unknown;
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
