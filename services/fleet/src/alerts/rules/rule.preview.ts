import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AlertRuleContent as Content } from '@warren/proto/fleet/v1/alerts';
import { alertRuleSchema } from '@warren/rules/alerts';
import { DataSource } from 'typeorm';
import { check } from '../check.ts';
import { contentOf } from '../messages.ts';
import { DeviceMatcher, piecesOf } from '../matching/device.matcher.ts';
import { queryOf } from '../matching/questions.ts';
import { scopeOf } from '../scope.ts';
import { readFull } from '../records/trends.sql.ts';

const DAY_MS = 86_400_000;
/** Nobody names a rule to see what it finds. */
const UNNAMED = { name: 'preview' };

/** Shows how many devices a rule would be about. */
@Injectable()
export class RulePreview {
  constructor(
    private readonly source: DataSource,
    private readonly matcher: DeviceMatcher,
  ) {}

  /** In one account. @throws Fault `not_found` for one out of sight; `invalid_argument`; `unavailable` */
  async preview(
    caller: Caller,
    request: { accountId: string; rule?: Content | undefined },
  ): Promise<{ matching: number; now: number }> {
    const { accountId, grants } = scopeOf(caller, request.accountId);
    if (grants) throw new Fault('permission_denied', 'a preview counts devices that no grant lets you see.');
    if (accountId === undefined) throw new Fault('not_found', `account ${request.accountId}.`);
    const rule = check('', alertRuleSchema, { ...UNNAMED, ...contentOf(request.rule) });
    const accountIds = [accountId];
    const query = queryOf(rule);
    if (rule.kind !== 'disk_full') {
      const [matching = 0, now = 0] = await this.matcher.count([
        { filter: rule.filter, accountIds },
        { ...query, accountIds },
      ]);
      return { matching, now };
    }
    const full = await readFull(this.source, accountIds, new Date(Date.now() + rule.days * DAY_MS));
    const devices = piecesOf(full.map(({ device_id: id }) => id));
    const [matching = 0, ...found] = await this.matcher.count([
      { filter: rule.filter, accountIds },
      ...devices.map((deviceIds) => ({ filter: rule.filter, accountIds, deviceIds })),
    ]);
    return { matching, now: found.reduce((sum, count) => sum + count, 0) };
  }
}
