import { expect, test } from '../../support/test.ts';

interface Rule {
  id: string;
  name: string;
  preset: string | null;
  openAlerts: number;
}
interface Alert {
  id: string;
  ruleName: string;
  deviceId: string;
  deviceName: string;
  state: string;
  detail: string;
  acknowledged?: { by: string; note: string };
}

/** Passes are 30 s apart. */
const PATIENCE = { timeout: 75_000 };

test('a rule opens an alert for a device, which is acknowledged, and closes it when it holds no more', async ({
  estate,
  office,
}) => {
  test.setTimeout(300_000);
  const device = await estate.device('orchard-gate');
  const of = `account=${estate.id}`;
  const rules = async () => (await office.call<{ rules: Rule[] }>('GET', `/api/alert-rules?${of}`)).rules;
  const alerts = async (state: string) =>
    (await office.call<{ alerts: Alert[] }>('GET', `/api/alerts?${of}&state=${state}`)).alerts;
  await expect.poll(async () => (await rules()).map(({ preset }) => preset), PATIENCE).toContain('never_connected');

  const body = { account: estate.id, kind: 'condition', condition: 'last_seen=never', minutes: 0 };
  expect(await office.call('POST', '/api/alert-rules/preview', body)).toEqual({ matching: 1, now: 1 });
  const { result: rule } = await office.call<{ result: Rule }>('POST', '/api/alert-rules', {
    ...body,
    name: 'Not here',
  });
  await expect
    .poll(() => alerts('open'), PATIENCE)
    .toMatchObject([{ ruleName: 'Not here', deviceId: device.id, deviceName: 'orchard-gate' }]);
  expect(await office.call('GET', `/api/alerts/counts?${of}`)).toEqual({
    open: { critical: 0, warning: 1, info: 0 },
    unacknowledged: 1,
  });

  const [alert] = await alerts('open');
  const ids = [alert?.id];
  expect(await office.call('POST', '/api/alerts/acknowledge', { ids, note: 'It comes on Monday.' })).toMatchObject({
    changed: 1,
  });
  expect((await alerts('open'))[0]?.acknowledged).toMatchObject({ note: 'It comes on Monday.' });

  await office.call('PATCH', `/api/alert-rules/${rule.id}`, { filter: 'status=connected' });
  await expect.poll(() => alerts('open'), PATIENCE).toEqual([]);
  expect(await alerts('closed')).toMatchObject([{ id: alert?.id, state: 'closed' }]);

  const audited = async () => {
    type Audited = { events: { action: string; reason: string; target: { name: string } }[] };
    const path = `/api/audit/events?account=${estate.id}&action=alert.*,alert_rule.*`;
    const { events } = await office.call<Audited>('GET', path);
    return events.map(({ action, target, reason }) => `${action} ${target.name} ${reason}`.trim()).reverse();
  };
  await expect
    .poll(audited)
    .toEqual([
      'alert_rule.create Not here',
      'alert.acknowledge Not here It comes on Monday.',
      'alert_rule.change Not here',
    ]);
});
