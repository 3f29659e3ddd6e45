import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { newEvent } from '@warren/platform/events/event';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { FilterUseKind } from '@warren/proto/common/v1/common';
import { AlertKind, AlertRuleContentSchema } from '@warren/proto/fleet/v1/alerts';
import { v7 as uuidv7 } from 'uuid';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { SavedFilters } from '../src/alerts/saved/saved.filters.ts';
import { SilencesService } from '../src/alerts/silences/silences.service.ts';
import { AlertsWorld } from './alerts.world.ts';
import { listAlerts } from './listed.alerts.ts';

type Content = MessageInitShape<typeof AlertRuleContentSchema>;
const HOT: Content = { name: 'Hot', kind: AlertKind.CONDITION, condition: 'disk>50', minutes: 0, filter: 'in:north' };
const devices = serviceCaller('devices');

describe('rules and silences that name saved filters', () => {
  const world = new AlertsWorld();
  const { owner, rules } = world;
  let account: string;

  beforeAll(() => world.start());
  afterAll(() => world.end());
  beforeEach(() => {
    ({ account } = world.clear());
    world.matched.saved.set('north', 'site=north');
  });

  const pass = () => world.app.get(AlertPass).pass(new Date());
  const add = (rule: Content = HOT) =>
    rules().create(owner(), { accountId: account, rule: create(AlertRuleContentSchema, rule) });
  const silence = (filter: string) =>
    world.app.get(SilencesService).create(owner(), {
      accountId: account,
      filter,
      until: timestampFromDate(new Date(Date.now() + 3_600_000)),
      reason: 'works',
    });
  const open = async (ruleId: string | undefined) =>
    (await listAlerts(world.app, owner(), { ruleId: ruleId ?? '' })).alerts?.map(({ deviceId }) => deviceId).sort();
  const uses = async (accountId = account) =>
    (await world.app.get(SavedFilters).uses(devices, { accountId })).uses?.map(({ kind, name, filter }) => [
      kind,
      name,
      filter,
    ]);

  // First: the passes that the others make keep their claim.
  it('are looked at soon after the saved filter has changed', async () => {
    const { rule } = await add();
    await world.app.get(AlertPass).round();
    const north = world.matched.add(account, { disk: 60, labels: { site: 'north' } });
    const alertPass = world.app.get(AlertPass);
    const { soon } = alertPass;
    Reflect.deleteProperty(alertPass, 'soon');
    try {
      const kind = { case: 'savedFilterChanged', value: { accountId: account } } as const;
      await world.publish(newEvent({ accountId: account, audited: true, kind }));
      await until(async () => (await open(rule.id))?.[0] === north.id, 20_000);
    } finally {
      alertPass.soon = soon;
    }
  });

  it('open alerts where the saved filter finds devices now, and close them where it does not', async () => {
    const north = world.matched.add(account, { disk: 60, labels: { site: 'north' } });
    const south = world.matched.add(account, { disk: 60, labels: { site: 'south' } });
    const { rule } = await add();
    await pass();
    expect(await open(rule.id)).toEqual([north.id]);
    world.matched.saved.set('north', 'site=south');
    await pass();
    expect(await open(rule.id)).toEqual([south.id]);
  });

  it('leave alerts as they are while the saved filter is not there', async () => {
    const north = world.matched.add(account, { disk: 60, labels: { site: 'north' } });
    const { rule } = await add();
    await pass();
    world.matched.saved.delete('north');
    await pass();
    expect(await open(rule.id)).toEqual([north.id]);
  });

  it('are refused for one that is not there, and in a condition', async () => {
    await expect(add({ ...HOT, filter: 'in:gone' })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(add({ ...HOT, filter: '', condition: 'in:north' })).rejects.toMatchObject({
      problems: [{ field: 'condition' }],
    });
    await expect(silence('in:gone')).rejects.toMatchObject({ code: 'invalid_argument' });
    const { rule } = await add({ ...HOT, filter: 'site=north' });
    const change = create(AlertRuleContentSchema, { filter: 'in:gone' });
    await expect(rules().update(owner(), { id: rule.id ?? '', rule: change })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('silence the devices that the saved filter finds', async () => {
    const [device] = [world.matched.add(account, { disk: 60, labels: { site: 'north' } })];
    const { rule } = await add({ ...HOT, filter: '' });
    await silence('in:north');
    await pass();
    const { alerts } = await listAlerts(world.app, owner(), { ruleId: rule.id ?? '' });
    expect(alerts).toMatchObject([{ deviceId: device?.id, silenced: true }]);
  });

  it("are what names saved filters of the account, and not another account's", async () => {
    await add();
    await add({ ...HOT, name: 'Text', filter: '"in:north"' });
    await silence('-in:north');
    expect(await uses()).toEqual([
      [FilterUseKind.ALERT_RULE, 'Hot', 'in:north'],
      [FilterUseKind.ALERT_SILENCE, 'works', '-in:north'],
    ]);
    expect(await uses(uuidv7())).toEqual([]);
    await expect(world.app.get(SavedFilters).uses(owner(), { accountId: account })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('are seen once a rule that is being written is there', async () => {
    let seen: Promise<unknown> | undefined;
    const expanded = world.matched.expanded.bind(world.matched);
    world.matched.expanded = (text) => {
      seen ??= uses();
      return expanded(text);
    };
    try {
      await add();
      expect(await seen).toEqual([[FilterUseKind.ALERT_RULE, 'Hot', 'in:north']]);
    } finally {
      Reflect.deleteProperty(world.matched, 'expanded');
    }
  });
});
