import { Injectable } from '@nestjs/common';
import { parseExpression, type Expression } from '@warren/rules/expressions';
import { setImmediate as breathe } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { HistoryReader } from '../../metrics/history.reader.ts';
import { within, type Series } from '../../series/series.ts';
import { piecesOf } from '../matching/device.matcher.ts';
import {
  readDueDevices,
  readReporting,
  readStale,
  writeLooks,
  type DueDevice,
  type Hit,
} from '../records/expressions.sql.ts';
import { renewClaim } from '../records/pass.sql.ts';
import type { AlertRuleEntity } from '../records/rule.entity.ts';
import { evaluate, measuredText, metricsOf, type Span } from './evaluate.ts';

const MINUTE = 60;
const FIVE_MINUTES = 300;
/** Longest span, in minutes, that is read minute by minute. */
const FINE_MINUTES = 60;
/** Less than two minutes, so that every fourth pass of 30 s evaluates a device. */
const EVERY_MS = 110_000;
/** Devices in a pass. With a pass every 30 s, 2,000 a minute. */
const MOST = 1_000;
/** How long a pass looks at devices; the rest waits for the next one. */
const MOST_MS = 10_000;
/** Devices read at once. Each blocks the process for about a millisecond. */
const BATCH = 20;
/** Devices for which a preview evaluates an expression. */
const MOST_PREVIEWED = 500;
/** Previews at a time, one of an account: each may take a second of this process. */
const MOST_PREVIEWS = 2;

type MetricRule = Pick<AlertRuleEntity, 'id' | 'condition' | 'minutes'>;

interface ReadRule extends MetricRule {
  expression: Expression;
}

/** Evaluates the expressions of rules over the metrics of devices. */
@Injectable()
export class Expressions {
  /** Accounts with a preview. */
  private readonly previews = new Set<string>();

  constructor(
    private readonly source: DataSource,
    private readonly reader: HistoryReader,
  ) {}

  /**
   * Evaluates a bounded number of the devices that reported since their last evaluation.
   * @param rules the enabled ones of the kind `metric`
   * @returns accounts whose rules changed and whose devices are not all evaluated since
   */
  async refresh(rules: readonly AlertRuleEntity[], now: Date): Promise<ReadonlySet<string>> {
    if (rules.length === 0) return new Set();
    const byAccount = Map.groupBy(readable(rules), ({ accountId }) => accountId);
    const due = await readDueDevices(this.source, { before: new Date(now.getTime() - EVERY_MS), limit: MOST });
    const end = performance.now() + MOST_MS;
    for (const devices of piecesOf(due, BATCH)) {
      if (performance.now() > end) break;
      await this.look(devices, byAccount, now);
      await renewClaim(this.source);
    }
    return new Set(await readStale(this.source));
  }

  /** Evaluates a rule for the devices of an account now. @returns those it holds for; undefined if devices or previews are too many */
  async holding(accountId: string, rule: Omit<MetricRule, 'id'>): Promise<string[] | undefined> {
    if (this.previews.has(accountId) || this.previews.size >= MOST_PREVIEWS) return undefined;
    this.previews.add(accountId);
    try {
      return await this.preview(accountId, rule);
    } finally {
      this.previews.delete(accountId);
    }
  }

  private async preview(accountId: string, rule: Omit<MetricRule, 'id'>): Promise<string[] | undefined> {
    const ids = await readReporting(this.source, accountId, MOST_PREVIEWED + 1);
    if (ids.length > MOST_PREVIEWED) return undefined;
    const rules = readable([{ ...rule, id: '' }]);
    const hits: Hit[] = [];
    for (const piece of piecesOf(ids, BATCH)) hits.push(...(await this.evaluate(piece, rules, new Date())));
    return hits.map(({ deviceId }) => deviceId);
  }

  private async look(
    devices: readonly DueDevice[],
    byAccount: ReadonlyMap<string, readonly ReadRule[]>,
    now: Date,
  ): Promise<void> {
    const hits: Hit[] = [];
    for (const [accountId, own] of Map.groupBy(devices, ({ account_id: id }) => id)) {
      const ids = own.map(({ id }) => id);
      hits.push(...(await this.evaluate(ids, byAccount.get(accountId) ?? [], now)));
    }
    await this.source.transaction((manager) => writeLooks(manager, { devices, hits, now }));
  }

  private async evaluate(ids: readonly string[], rules: readonly ReadRule[], now: Date): Promise<Hit[]> {
    const [fine, coarse] = [rules.filter(isFine), rules.filter((rule) => !isFine(rule))];
    return [
      ...(await this.evaluateBy(MINUTE, ids, { rules: fine, now })),
      ...(await this.evaluateBy(FIVE_MINUTES, ids, { rules: coarse, now })),
    ];
  }

  /** @param step seconds of a point */
  private async evaluateBy(
    step: number,
    ids: readonly string[],
    { rules, now }: { rules: readonly ReadRule[]; now: Date },
  ): Promise<Hit[]> {
    if (rules.length === 0) return [];
    const end = Math.ceil(now.getTime() / 1_000 / step) * step;
    const longest = Math.max(...rules.map(({ minutes }) => minutes)) * MINUTE;
    const metrics = new Set(rules.flatMap(({ expression }) => metricsOf(expression)));
    const all = await this.reader.read(ids, [Math.floor((end - longest) / step) * step, end], step, metrics);
    const hits: Hit[] = [];
    for (const [deviceId, series] of all) {
      // Many rules take milliseconds: others get their turn.
      await breathe();
      for (const [minutes, same] of Map.groupBy(rules, (rule) => rule.minutes)) {
        const seconds = minutes * MINUTE;
        const looked = within(series, end - seconds, end);
        for (const rule of same) hits.push(...hitOf(rule, deviceId, { series: looked, span: { seconds, step } }));
      }
    }
    return hits;
  }
}

const isFine = ({ minutes }: MetricRule) => minutes <= FINE_MINUTES;

function readable<R extends MetricRule>(rules: readonly R[]): (R & { expression: Expression })[] {
  return rules.flatMap((rule) => {
    const parsed = parseExpression(rule.condition);
    return parsed.ok ? [{ ...rule, expression: parsed.filter }] : [];
  });
}

function hitOf(rule: ReadRule, deviceId: string, { series, span }: { series: Series; span: Span }): Hit[] {
  const { holds, measured } = evaluate(rule.expression, series, span);
  if (holds !== true) return [];
  const detail = measured ? measuredText(measured, rule.minutes) : rule.condition;
  return [{ ruleId: rule.id, deviceId, detail, value: measured?.value ?? 0 }];
}
