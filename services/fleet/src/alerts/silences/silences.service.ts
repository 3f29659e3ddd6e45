import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AlertSilenceSchema } from '@warren/proto/fleet/v1/alerts';
import type { AuditAction } from '@warren/rules/audit';
import { ALERT_LIMITS, silenceReason } from '@warren/rules/alerts';
import { referringFilterText } from '@warren/rules/filter/saved';
import { DataSource, MoreThan } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AlertAccounts } from '../accounts/alert.accounts.ts';
import { check } from '../check.ts';
import { deedEvents } from '../events.ts';
import { silenceMessage } from '../messages.ts';
import { SavedFilters } from '../saved/saved.filters.ts';
import { scopeOf } from '../scope.ts';
import { AlertSilenceEntity } from '../records/silence.entity.ts';
import { listSilences, lockSilences } from '../records/silences.sql.ts';

const DAY_MS = 86_400_000;
/** Silences in an answer, of all accounts. */
const MOST_LISTED = 2_000;
const EXPECTED_UNTIL = `expected a time within ${ALERT_LIMITS.silenceDays} days`;

const silenceSchema = z.object({
  filter: referringFilterText,
  reason: silenceReason,
  until: z
    .date(EXPECTED_UNTIL)
    .refine(
      (until) => until.getTime() > Date.now() && until.getTime() < Date.now() + ALERT_LIMITS.silenceDays * DAY_MS,
      {
        error: EXPECTED_UNTIL,
      },
    ),
});

type Silence = MessageInitShape<typeof AlertSilenceSchema>;

/** Silences: they withhold notifications of alerts, which open and close all the same (policy `alerts.manage`). */
@Injectable()
export class SilencesService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AlertAccounts,
    private readonly saved: SavedFilters,
  ) {}

  /** Those that have not ended. @throws Fault `not_found` for an account out of sight */
  async list(caller: Caller, request: { accountId: string }): Promise<{ silences: Silence[] }> {
    const { accountId } = scopeOf(caller, request.accountId);
    const rows = await listSilences(this.source, { accountId, limit: MOST_LISTED });
    return { silences: rows.map(silenceMessage) };
  }

  /** @throws Fault `not_found`, `permission_denied`, `invalid_argument`, `failed_precondition` when there are too many */
  async create(
    caller: Caller,
    request: { accountId: string; filter: string; until?: Timestamp | undefined; reason: string },
  ): Promise<{ silence: Silence }> {
    const { accountId, filter, until, reason } = request;
    const actor = requireMay(caller, 'alerts.manage', accountId);
    const content = check('', silenceSchema, { filter: filter.trim(), reason, until: until && timestampDate(until) });
    const accountName = await this.accounts.nameOf(accountId);
    return this.outbox.transaction(async (manager, emit) => {
      await lockSilences(manager, accountId);
      const now = new Date();
      if ((await manager.countBy(AlertSilenceEntity, { accountId, until: MoreThan(now) })) >= ALERT_LIMITS.silences)
        throw new Fault('failed_precondition', `there are ${ALERT_LIMITS.silences} silences: delete one first.`);
      await this.saved.require(accountId, content.filter);
      const row = { id: uuidv7(), accountId, ...content, createdBy: actor.email || actor.name, createdAt: now };
      await manager.insert(AlertSilenceEntity, row);
      for (const event of silenceEvents(caller, 'alert_silence.create', row)) emit(event);
      return { silence: silenceMessage({ ...row, accountName }) };
    });
  }

  /** Ends a silence. @throws Fault `not_found`, `permission_denied` */
  async delete(caller: Caller, { id }: { id: string }): Promise<Record<string, never>> {
    await this.outbox.transaction(async (manager, emit) => {
      const sight = sightOf(caller);
      const where = sight === undefined ? { id } : { id, accountId: sight };
      const lock = { mode: 'pessimistic_write' } as const;
      const row = isUuid(id) ? await manager.findOne(AlertSilenceEntity, { where, lock }) : null;
      if (!row) throw new Fault('not_found', `silence ${id}.`);
      const { accountId } = row;
      requireMay(caller, 'alerts.manage', accountId, `silence ${id}`);
      await manager.delete(AlertSilenceEntity, { id, accountId });
      for (const event of silenceEvents(caller, 'alert_silence.delete', row)) emit(event);
    });
    return {};
  }
}

function silenceEvents(
  caller: Caller,
  action: AuditAction,
  { id, accountId, filter, until, reason }: AlertSilenceEntity,
): Event[] {
  const target = { kind: 'alert_silence', id, name: filter || 'all devices' } as const;
  return deedEvents(caller, {
    kind: 'alertSilenceChanged',
    action,
    accountId,
    target,
    reason,
    details: { filter, until: until.toISOString() },
  });
}
