import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { Outbox } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { ALERT_SEVERITIES } from '@warren/rules/alerts';
import { DataSource } from 'typeorm';
import { alertPassDuration, alertPassFailures, alertsEvaluated, alertsOpen } from '../../telemetry/metrics.ts';
import { AlertAccounts } from '../accounts/alert.accounts.ts';
import { readEnabledRules } from '../records/rules.sql.ts';
import { Expressions } from '../expressions/expressions.ts';
import { Silencer } from '../silences/silencer.ts';
import { DiskTrends } from '../trends/disk.trends.ts';
import { DeviceMatcher, piecesOf, type CheckedQuery } from '../matching/device.matcher.ts';
import { allowPass, claimPass, endPass, readPass, renewClaim, sweep } from '../records/pass.sql.ts';
import { questionsOf, type Question } from '../matching/questions.ts';
import { usesAny } from '../records/uses.sql.ts';
import { knownFindings } from './known.findings.ts';
import { RuleSettler, type Answer, type PassView } from './rule.settler.ts';

const EVERY_MS = 30_000;
/** From a change of rules or silences to the pass that minds it: several changes at a time make one pass. */
const SOON_MS = 1_000;
const CHANGES = ['alertRuleChanged', 'alertSilenceChanged'] as const;
/** Questions whose devices are held in memory at once. */
const BATCH = 50;

/** Looks at the conditions of all rules each 30 s, by one replica at a time, and opens and closes alerts. */
@Injectable()
export class AlertPass implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AlertPass.name);
  private readonly rounds = new Rounds({
    of: AlertPass.name,
    everyMs: EVERY_MS,
    failed: 'Looking at the conditions of alerts failed; alerts stay as they are',
    round: () => this.round(),
  });
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private unfollow: (() => void)[] = [];

  constructor(
    private readonly source: DataSource,
    private readonly outbox: Outbox,
    private readonly consumer: EventConsumer,
    private readonly accounts: AlertAccounts,
    private readonly matcher: DeviceMatcher,
    private readonly settler: RuleSettler,
    private readonly silencer: Silencer,
    private readonly trends: DiskTrends,
    private readonly expressions: Expressions,
  ) {}

  onModuleInit(): void {
    // What rules and silences name selects by something else now.
    this.consumer.on('savedFilterChanged', async (_event, { accountId }) => {
      if (await usesAny(this.source, accountId)) this.soon();
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.measure();
    this.unfollow = CHANGES.map((kind) => this.outbox.afterPublishing(kind, () => this.soon()));
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const undo of this.unfollow) undo();
    clearTimeout(this.timer);
    return this.rounds.stop();
  }

  /**
   * Makes a pass, unless another replica does or just did. A claim that ends by itself, not a lock: PostgreSQL ends transactions that are
   * idle while devices are asked.
   */
  async round(): Promise<void> {
    if (await claimPass(this.source)) await this.claimed();
    await this.measure();
  }

  /** Makes a pass after 1 s. A change that comes during a pass waits for the next one. */
  soon(): void {
    this.timer ??= setTimeout(() => void this.hurry(), SOON_MS).unref();
  }

  private async hurry(): Promise<void> {
    this.timer = undefined;
    // The next round comes anyway.
    await allowPass(this.source).catch(() => undefined);
    await this.rounds.now();
  }

  private async claimed(): Promise<void> {
    const stop = alertPassDuration.startTimer();
    let finished = false;
    try {
      finished = await this.pass(new Date());
    } catch (error) {
      alertPassFailures.inc();
      throw error;
    } finally {
      await endPass(this.source, finished);
      stop();
    }
  }

  /**
   * Looks at all rules. When devices can't be asked, the rules that were not looked at keep their alerts.
   * @returns false if the process ends meanwhile
   * @throws Fault `unavailable`, `deadline_exceeded`
   */
  async pass(now: Date): Promise<boolean> {
    await this.accounts.learn();
    await this.trends.refresh(now);
    const rules = await readEnabledRules(this.source);
    const metric = rules.filter(({ kind }) => kind === 'metric');
    const stale = await this.expressions.refresh(metric, now);
    const { questions, unreadable } = questionsOf(
      rules.filter((rule) => rule.kind !== 'metric' || !stale.has(rule.accountId)),
    );
    for (const { id } of unreadable)
      this.log.warn({ rule: id }, 'A rule has a filter or a kind that this version does not read.');
    const view = { now, silences: await this.silencer.active(now) };
    for (const batch of piecesOf(questions, BATCH)) {
      if (this.stopping) return false;
      await this.ask(batch, view);
      await renewClaim(this.source);
    }
    await this.silencer.refresh(now);
    await sweep(this.source);
    return true;
  }

  private async ask(questions: readonly Question[], view: PassView): Promise<void> {
    const asked = [];
    for (const question of questions) asked.push(await this.queriesOf(question, view.now));
    const queries = asked.flatMap((one) => one.queries);
    const found = await this.matcher.match(queries);
    let at = 0;
    for (const { rules, queries: own, findings } of asked) {
      const answers = found.slice(at, (at += own.length));
      const undecided = answers.find((answer) => answer.undecided !== '')?.undecided;
      if (undecided !== undefined) {
        // Nothing is known of its devices, so their alerts stay.
        for (const { id } of rules)
          this.log.warn({ rule: id, undecided }, 'The filter of a rule could not be resolved.');
        continue;
      }
      const matches = answers.flatMap((answer) => answer.matches);
      await this.settler.settle({ rules, findings, found: Map.groupBy(matches, ({ accountId }) => accountId) }, view);
    }
  }

  /** The queries of a question: in the accounts of its rules, and only for the devices that fleet itself knows, where it does. */
  private async queriesOf(
    { rules, query, known }: Question,
    now: Date,
  ): Promise<Pick<Answer, 'rules' | 'findings'> & { queries: CheckedQuery[] }> {
    const accountIds = [...new Set(rules.map(({ accountId }) => accountId))].sort();
    const inAccounts = piecesOf(accountIds).map((piece) => ({ ...query, accountIds: piece }));
    if (known === undefined) return { rules, queries: inAccounts, findings: new Map() };
    const findings = await knownFindings(this.source, known, { accountIds, now });
    const queries = piecesOf([...findings.keys()]).flatMap((deviceIds) =>
      inAccounts.map((one) => ({ ...one, deviceIds })),
    );
    return { rules, queries, findings };
  }

  /** Shows what is so in the database, whichever replica made the pass. */
  private async measure(): Promise<void> {
    const { finished_at: finishedAt, open } = await readPass(this.source);
    alertsEvaluated.set(finishedAt.getTime() / 1_000);
    for (const severity of ALERT_SEVERITIES) alertsOpen.set({ severity }, open[severity] ?? 0);
  }
}
