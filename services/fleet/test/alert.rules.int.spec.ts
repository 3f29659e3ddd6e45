import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { Role } from '@warren/proto/common/v1/common';
import { AlertKind, AlertRuleContentSchema, AlertSeverity } from '@warren/proto/fleet/v1/alerts';
import { DEFAULT_ALERT_RULES } from '@warren/rules/alerts';
import { v7 as uuidv7 } from 'uuid';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { RulePreview } from '../src/alerts/rules/rule.preview.ts';
import { AlertsWorld } from './alerts.world.ts';
import { user } from './callers.ts';

type Content = MessageInitShape<typeof AlertRuleContentSchema>;
const HOT: Content = { name: 'Hot', kind: AlertKind.CONDITION, condition: 'disk>50', minutes: 0 };

describe('rules of alerts', () => {
  const world = new AlertsWorld();
  const { owner, rules } = world;
  let account: string;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(() => {
    ({ account } = world.clear());
  });

  const pass = () => world.app.get(AlertPass).pass(new Date());
  const content = (rule: Content) => create(AlertRuleContentSchema, rule);
  const add = (rule: Content = HOT, caller = owner(), accountId = account) =>
    rules().create(caller, { accountId, rule: content(rule) });
  const change = (id: string | undefined, rule: Content, caller = owner()) =>
    rules().update(caller, { id: id ?? '', rule: content(rule) });
  const open = async (ruleId: string | undefined) => {
    const [row] = await world.source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM alerts WHERE rule_id = $1 AND state = 'open'`,
      [ruleId],
    );
    return row?.n;
  };
  const listed = async (preset: string) =>
    (await rules().list(owner(), { accountId: account })).rules.find((rule) => rule.preset === preset);
  /** So many events of the account on the bus. */
  async function heard(count: number, work: () => Promise<unknown>): Promise<string[]> {
    const kinds: string[] = [];
    const stop = world.app.get(EventBus).listen((event) => {
      if (event.accountId !== account) return;
      const { kind } = event;
      const value = kind.case === 'audit' ? kind.value : undefined;
      kinds.push([kind.case, value?.actor?.email, value?.action, value?.target?.name].filter(Boolean).join(' '));
    });
    await work();
    await until(() => kinds.length >= count);
    stop();
    return kinds;
  }

  // First: the passes that the others make keep their claim.
  it('are looked at soon after they change, though there just was a pass', async () => {
    await world.app.get(AlertPass).round();
    const alertPass = world.app.get(AlertPass);
    const { soon } = alertPass;
    Reflect.deleteProperty(alertPass, 'soon');
    try {
      world.matched.add(account, { disk: 60 });
      const { rule } = await add();
      await until(async () => (await open(rule.id)) === 1, 20_000);
    } finally {
      alertPass.soon = soon;
    }
  });

  it('are added, changed and deleted, which is in the audit trail', async () => {
    let id: string | undefined;
    const added = await heard(3, async () => ({ id } = (await add()).rule));
    expect(added.sort()).toEqual([
      ...['alertRuleChanged', 'alertsChanged', 'audit someone@example.com alert_rule.create Hot'],
    ]);
    const { rule } = await change(id, { minutes: 5, severity: AlertSeverity.CRITICAL, filter: 'site=north' });
    expect(rule).toMatchObject({
      name: 'Hot',
      condition: 'disk>50',
      minutes: 5,
      severity: AlertSeverity.CRITICAL,
      filter: 'site=north',
      preset: '',
      accountName: 'Acme',
    });
    await rules().delete(owner(), { id: id ?? '' });
    await expect(change(id, {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keep a condition that holds at once when something else changes', async () => {
    const { rule } = await add();
    expect((await change(rule.id, { name: 'Hotter' })).rule).toMatchObject({ name: 'Hotter', minutes: 0 });
  });

  it('say where a filter is wrong, and what a kind needs', async () => {
    const problem = async (rule: Content) => {
      const error: unknown = await add({ ...HOT, ...rule }).catch((cause: unknown) => cause);
      return error;
    };
    expect(await problem({ filter: 'site=north (' })).toMatchObject({
      code: 'invalid_argument',
      problems: [{ field: 'filter', message: 'Expected a term. (at character 13)' }],
    });
    expect(await problem({ condition: '' })).toMatchObject({ problems: [{ field: 'condition' }] });
    expect(await problem({ filter: 'x'.repeat(1_001) })).toMatchObject({ problems: [{ field: 'filter' }, {}] });
    expect(await problem({ kind: AlertKind.UNSPECIFIED })).toMatchObject({ problems: [{ field: 'kind' }] });
    expect(await problem({ kind: AlertKind.FLAPPING, minutes: 9, times: 1 })).toMatchObject({
      problems: [{ field: 'times' }],
    });
  });

  it('close what they no longer hold for when they are changed, and all when they are disabled or deleted', async () => {
    for (const disk of [60, 80]) world.matched.add(account, { disk });
    const { rule } = await add();
    await pass();
    expect(await open(rule.id)).toBe(2);
    await change(rule.id, { condition: 'disk>70' });
    await pass();
    expect(await open(rule.id)).toBe(1);
    await change(rule.id, { enabled: false });
    expect(await open(rule.id)).toBe(0);
    await change(rule.id, { enabled: true });
    await pass();
    await rules().delete(owner(), { id: rule.id ?? '' });
    expect(await open(rule.id)).toBe(0);
    const changes = await world.source.query<{ kind: string; count: number }[]>(
      'SELECT kind, count FROM alert_changes WHERE rule_id = $1 ORDER BY created_at, id',
      [rule.id],
    );
    expect(changes.map(({ kind, count }) => `${kind} ${count}`)).toEqual([
      'opened 2',
      'closed 1',
      'closed 1',
      'opened 1',
      'closed 1',
    ]);
  });

  it('are not applied as they were before a change during a pass', async () => {
    world.matched.add(account, { disk: 60 });
    const { rule } = await add();
    let changed = false;
    world.matched.beforeAnswer = async () => {
      if (changed) return;
      changed = true;
      await change(rule.id, { condition: 'disk>90' });
    };
    await pass();
    world.matched.beforeAnswer = () => Promise.resolve();
    expect(await open(rule.id)).toBe(0);
  });

  it('of the default can be changed and disabled, not deleted or made into another kind', async () => {
    world.matched.add(account);
    await pass();
    const offline = await listed('offline');
    await change(offline?.id, { minutes: 30, name: 'Lost', enabled: false });
    await pass();
    expect(await listed('offline')).toMatchObject({ minutes: 30, name: 'Lost', enabled: false });
    await expect(rules().delete(owner(), { id: offline?.id ?? '' })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await expect(change(offline?.id, { kind: AlertKind.CONDITION, condition: 'cpu>9' })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
  });

  it('are not another account\u2019s', async () => {
    const { rule } = await add();
    const other = world.matched.account('Beta');
    const stranger = user(other, Role.OWNER);
    await expect(change(rule.id, { name: 'x' }, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(rules().delete(stranger, { id: rule.id ?? '' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(rules().list(stranger, { accountId: account })).rejects.toMatchObject({ code: 'not_found' });
    await expect(add(HOT, stranger)).rejects.toMatchObject({ code: 'not_found' });
    expect((await rules().list(stranger, { accountId: '' })).rules).toEqual([]);
    for (const role of [Role.MEMBER, Role.UNSPECIFIED])
      await expect(change(rule.id, { name: 'x' }, user(account, role))).rejects.toMatchObject({
        code: 'permission_denied',
      });
    await expect(add(HOT, user(uuidv7(), Role.SUPER_ADMIN, true), uuidv7())).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('find no devices of another account that their filter names', async () => {
    const other = world.matched.account('Beta');
    world.matched.add(other, { disk: 99 });
    const { rule } = await add({ ...HOT, filter: `account=${other} or status=connected` });
    const preview = world.app.get(RulePreview);
    const request = { accountId: account, rule: content({ ...HOT, filter: `account=${other}` }) };
    expect(await preview.preview(owner(), request)).toEqual({ matching: 0, now: 0 });
    await pass();
    expect(await open(rule.id)).toBe(0);
    await expect(preview.preview(user(other, Role.OWNER), request)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are previewed', async () => {
    for (const disk of [40, 60, 80]) world.matched.add(account, { disk, labels: { site: 'north' } });
    world.matched.add(account, { disk: 90 });
    const request = {
      accountId: account,
      rule: content({ kind: AlertKind.CONDITION, condition: 'disk>50', filter: 'site=north' }),
    };
    expect(await world.app.get(RulePreview).preview(user(account, Role.MEMBER), request)).toEqual({
      matching: 3,
      now: 2,
    });
  });

  it('are 50 at most in an account, also when they come at once', async () => {
    const added = await Promise.allSettled(Array.from({ length: 60 }, () => add()));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    await expect(add()).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it('of the default are there as soon as an account is created, without a device, and once', async () => {
    const value = { accountId: account, name: 'Acme', active: true, operator: false };
    const created = newEvent({ accountId: account, kind: { case: 'accountChanged', value } });
    await world.publish(created);
    const presets = async () => (await rules().list(owner(), { accountId: account })).rules.map(({ preset }) => preset);
    await until(async () => (await presets()).length > 0);
    await world.publish(
      newEvent({ accountId: account, kind: { case: 'accountChanged', value: { ...value, name: 'Ajax' } } }),
    );
    await until(async () => (await rules().list(owner(), { accountId: account })).rules[0]?.accountName === 'Ajax');
    expect(await presets()).toEqual(DEFAULT_ALERT_RULES.map(({ preset }) => preset));
  });

  it('are deleted with their account, and its alerts too', async () => {
    world.matched.add(account, { disk: 60 });
    await add();
    await pass();
    world.matched.accountNames.delete(account);
    const event = newEvent({ accountId: account, kind: { case: 'accountDeleted', value: { accountId: account } } });
    await world.publish(event);
    const left = async () => {
      const rows = await world.source.query<unknown[]>(
        `SELECT account_id FROM alert_rules WHERE account_id = $1 UNION ALL SELECT account_id FROM alerts WHERE account_id = $1
         UNION ALL SELECT account_id FROM alert_changes WHERE account_id = $1 UNION ALL SELECT id FROM alert_accounts WHERE id = $1`,
        [account],
      );
      return rows.length;
    };
    await until(async () => (await left()) === 0);
    // The devices service hears of it later, and is asked meanwhile.
    world.matched.accountNames.set(account, 'Acme');
    await pass();
    expect(await left()).toBeGreaterThan(0);
    world.matched.accountNames.delete(account);
    world.matched.account('Beta');
    await pass();
    expect(await left()).toBe(0);
  });
});
