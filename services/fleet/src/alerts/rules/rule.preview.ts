import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AlertRuleContent as Content } from '@warren/proto/fleet/v1/alerts';
import { alertRuleSchema, type AlertRuleContent as Rule } from '@warren/rules/alerts';
import { DataSource } from 'typeorm';
import { check } from '../check.ts';
import { contentOf } from '../messages.ts';
import { DeviceMatcher, piecesOf } from '../matching/device.matcher.ts';
import { queryOf } from '../matching/questions.ts';
import { Expressions } from '../expressions/expressions.ts';
import { knownFindings } from '../pass/known.findings.ts';
import { scopeOf } from '../scope.ts';

/** Nobody names a rule to see what it finds. */
const UNNAMED = { name: 'preview' };

/** Shows how many devices a rule would be about. */
@Injectable()
export class RulePreview {
  constructor(
    private readonly source: DataSource,
    private readonly matcher: DeviceMatcher,
    private readonly expressions: Expressions,
  ) {}

  /** In one account. @throws Fault `not_found` for one out of sight; `invalid_argument`; `unavailable` */
  async preview(
    caller: Caller,
    request: { accountId: string; rule?: Content | undefined },
  ): Promise<{ matching: number; now?: number }> {
    const { accountId, grants } = scopeOf(caller, request.accountId);
    if (grants) throw new Fault('permission_denied', 'a preview counts devices that no grant lets you see.');
    if (accountId === undefined) throw new Fault('not_found', `account ${request.accountId}.`);
    const rule = check('', alertRuleSchema, { ...UNNAMED, ...contentOf(request.rule) });
    const everywhere = { filter: rule.filter, accountIds: [accountId] };
    if (rule.kind !== 'disk_full' && rule.kind !== 'metric') {
      const [matching = 0, now = 0] = await this.matcher.count([everywhere, { ...queryOf(rule), ...everywhere }]);
      return { matching, now };
    }
    const ids = await this.known(accountId, rule);
    const [matching = 0, ...found] = await this.matcher.count([
      everywhere,
      ...piecesOf(ids ?? []).map((deviceIds) => ({ ...everywhere, deviceIds })),
    ]);
    return { matching, ...(ids && { now: found.reduce((sum, count) => sum + count, 0) }) };
  }

  /** The devices that fleet itself knows; undefined if there are too many. */
  private async known(accountId: string, rule: Rule): Promise<string[] | undefined> {
    if (rule.kind === 'metric') return this.expressions.holding(accountId, rule);
    const where = { accountIds: [accountId], now: new Date() };
    return [...(await knownFindings(this.source, { fullWithin: rule.days }, where)).keys()];
  }
}
