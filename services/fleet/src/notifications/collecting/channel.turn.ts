import { v7 as uuidv7 } from 'uuid';
import type { EntityManager } from 'typeorm';
import { contentOf, severityOf, titleOf, type Reason } from '../formats/content.ts';
import { isQuiet, quietEnd } from './quiet.ts';
import {
  duePending,
  escalatedOf,
  growingRules,
  lastMessages,
  lockReceiver,
  messagesSince,
  postpone,
  removePending,
  stillOpen,
  type Pending,
  type Receiver,
} from './collector.sql.ts';
import { NotificationEntity } from '../delivery/notification.entity.ts';
import { groupsOf } from './pending.ts';

/** Messages that an account gets within an hour. */
const HOURLY_LIMIT = 120;
const HOUR_MS = 3_600_000;
/** Between two messages of one rule to a channel. */
const RULE_PAUSE_MS = 5 * 60_000;
/** Rows of one turn. There are two of each rule, with escalation two for each minute. */
const MOST = 2_000;

/** Makes the messages of a channel that are due, in the caller's transaction. */
export class ChannelTurn {
  constructor(
    private readonly manager: EntityManager,
    private readonly now: Date,
  ) {}

  /** @returns how many messages it made */
  async run(channelId: string): Promise<number> {
    const receiver = await lockReceiver(this.manager, channelId);
    const due = await duePending(this.manager, channelId, this.now, MOST);
    if (!receiver?.enabled) {
      await removePending(this.manager, due);
      return 0;
    }
    const awake = await this.withoutQuiet(receiver, due);
    const open = await this.escalated(receiver, await this.grown(receiver, awake));
    if (open.length === 0) return 0;
    const held = open.find((row) => row.held !== null)?.held;
    return held ? this.summarise(receiver, open, held) : this.byRule(receiver, open);
  }

  /** Holds what falls into quiet hours until their end. */
  private async withoutQuiet({ quiet }: Receiver, rows: Pending[]): Promise<Pending[]> {
    if (!quiet || !isQuiet(quiet, this.now)) return rows;
    const loud = (row: Pending) => quiet.exceptCritical && row.severity === 'critical';
    const resting = rows.filter((row) => !loud(row));
    await postpone(this.manager, resting, quietEnd(quiet, this.now), 'quiet');
    return rows.filter(loud);
  }

  /** With escalation, lets alerts wait for others of their rule that opened shortly after. */
  private async grown({ id, afterMinutes }: Receiver, rows: Pending[]): Promise<Pending[]> {
    if (afterMinutes === 0) return rows;
    const growing = await growingRules(this.manager, id, this.now);
    const waits = ({ kind, held, rule_id }: Pending) => kind === 'opened' && held === null && growing.has(rule_id);
    for (const [ruleId, own] of Map.groupBy(rows.filter(waits), ({ rule_id }) => rule_id))
      await postpone(this.manager, own, growing.get(ruleId) ?? this.now, null);
    return rows.filter((row) => !waits(row));
  }

  /** With escalation, drops alerts that closed or were acknowledged in time. */
  private async escalated(receiver: Receiver, rows: Pending[]): Promise<Pending[]> {
    if (receiver.afterMinutes === 0) return rows;
    const left: Pending[] = [];
    const dropped: Pending[] = [];
    for (const row of rows) {
      const { ids, count } =
        row.kind === 'opened' ? await this.openOf(receiver, row) : await this.toldOf(receiver, row);
      if (count === 0) dropped.push(row);
      else left.push({ ...row, count, examples: row.examples.filter(({ alertId }) => ids.has(alertId)) });
    }
    await removePending(this.manager, dropped);
    return left;
  }

  private openOf({ accountId }: Receiver, row: Pending) {
    return stillOpen(this.manager, accountId, row);
  }

  /** Of more alerts than are named, all count if one of those does. */
  private async toldOf({ accountId, afterMinutes }: Receiver, row: Pending) {
    const ids = await escalatedOf(this.manager, accountId, row.alert_ids, afterMinutes);
    return { ids, count: ids.size > 0 && row.count > row.alert_ids.length ? row.count : ids.size };
  }

  /** One message of everything. */
  private async summarise(receiver: Receiver, rows: Pending[], held: 'quiet' | 'limit'): Promise<number> {
    if (!(await this.mayTell(receiver, rows))) return 0;
    await this.tell(receiver, rows, { reason: held, ruleId: null });
    return 1;
  }

  /** One message of each rule, unless the last one was too short a time ago. */
  private async byRule(receiver: Receiver, rows: Pending[]): Promise<number> {
    const rules = Map.groupBy(rows, (row) => row.rule_id);
    const since = new Date(this.now.getTime() - RULE_PAUSE_MS);
    const last = await lastMessages(this.manager, receiver.id, [...rules.keys()], since);
    let made = 0;
    for (const [ruleId, some] of rules) {
      const at = last.get(ruleId);
      if (at) await postpone(this.manager, some, new Date(at.getTime() + RULE_PAUSE_MS), null);
      else if (await this.mayTell(receiver, some)) {
        await this.tell(receiver, some, { reason: 'alerts', ruleId });
        made++;
      }
    }
    return made;
  }

  /** Holds rows while the account has got its messages of an hour. */
  private async mayTell({ accountId }: Receiver, rows: Pending[]): Promise<boolean> {
    const { count, first } = await messagesSince(this.manager, accountId, new Date(this.now.getTime() - HOUR_MS));
    if (count < HOURLY_LIMIT) return true;
    await postpone(this.manager, rows, new Date((first ?? this.now).getTime() + HOUR_MS), 'limit');
    return false;
  }

  private async tell(
    { id, accountId }: Receiver,
    rows: Pending[],
    { reason, ruleId }: { reason: Reason; ruleId: string | null },
  ): Promise<void> {
    const groups = groupsOf(rows);
    await this.manager.insert(NotificationEntity, {
      id: uuidv7(),
      accountId,
      channelId: id,
      ruleId,
      severity: severityOf(groups),
      title: titleOf(reason, groups),
      content: contentOf(reason, groups),
      createdAt: this.now,
      nextAttempt: this.now,
    });
    await removePending(this.manager, rows);
  }
}
