import { Inject, Injectable } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { DataSource } from 'typeorm';
import { alertsChanged } from '../events.ts';
import type { AlertRuleEntity } from '../records/rule.entity.ts';
import { Silencer, type ActiveSilences } from '../silences/silencer.ts';
import { writeChanges } from '../records/changes.sql.ts';
import { findingOf, type Finding } from './details.ts';
import { closeAlerts, holdsStill, openAlerts, readStates, writeHolds, type RuleState } from '../records/settle.sql.ts';
import { isEmpty, transitionOf, type Match, type Transition } from './transition.ts';

/** Alerts of a rule that open, and that close, in a transaction; the next pass continues. */
const MOST = 20_000;
const MINUTE_MS = 60_000;
const NOTHING: RuleState = { open: new Map(), held: new Map() };

/** What a pass knows besides rules and devices. */
export interface PassView {
  now: Date;
  silences: ActiveSilences;
}

/** Rules that asked the same, and the devices that were found, by account. */
export interface Answer {
  rules: readonly AlertRuleEntity[];
  found: ReadonlyMap<string, readonly Match[]>;
  /** What fleet itself found, by device. */
  findings: ReadonlyMap<string, Finding>;
}

/** Opens and closes the alerts of rules by the devices that were found. */
@Injectable()
export class RuleSettler {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly silencer: Silencer,
  ) {}

  /** May run again, and at the same time as another one: an alert opens once. @throws Fault `unavailable` */
  async settle({ rules, found, findings }: Answer, view: PassView): Promise<void> {
    const states = await readStates(
      this.source,
      rules.map(({ id }) => id),
    );
    for (const rule of rules) {
      const holdMs = rule.kind === 'condition' ? rule.minutes * MINUTE_MS : 0;
      const state = states.get(rule.id) ?? NOTHING;
      const change = transitionOf(found.get(rule.accountId) ?? [], state, { now: view.now, holdMs });
      if (!isEmpty(change)) await this.apply(rule, change, { ...view, findings });
    }
  }

  private async apply(
    rule: AlertRuleEntity,
    { hold, release, open, close }: Transition,
    { now, silences, findings }: PassView & Pick<Answer, 'findings'>,
  ): Promise<void> {
    const opening = open.slice(0, MOST);
    const ids = opening.map(({ deviceId }) => deviceId);
    const silenced = await this.silencer.among(silences, rule.accountId, ids);
    const openings = opening.map((match) => ({
      deviceId: match.deviceId,
      name: match.name,
      silenced: silenced.has(match.deviceId),
      ...findingOf(rule, match, findings.get(match.deviceId)),
    }));
    await this.outbox.transaction(async (manager, emit) => {
      if (!(await holdsStill(manager, rule))) return;
      await writeHolds(manager, rule.id, { hold, release, now });
      const opened = await openAlerts(manager, rule, { openings, now });
      const closed = await closeAlerts(manager, rule, { ids: close.slice(0, MOST), now });
      await writeChanges(manager, 'opened', opened);
      await writeChanges(manager, 'closed', closed);
      if (opened.length + closed.length > 0) emit(alertsChanged(rule.accountId));
    });
  }
}
