import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Activity, GetOverviewApiResponse as Overview } from '../../lib/api/generated/history.ts';
import { SessionContext, type Session } from '../../lib/session.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { HomePage } from './HomePage.tsx';

const account = { id: ACCOUNT, name: 'Northwind' };
const at = (hour: number) => new Date(Date.UTC(2026, 2, 4, hour)).toISOString();
const LIST = `/devices/${ACCOUNT}`;

const ranking = (filter: string, total: number, value: number | null = null): Overview['hottest'] => ({
  filter,
  total,
  devices:
    total === 0
      ? []
      : [{ id: 'd1', name: 'Pump', account, status: 'Connected', status_since: at(1), created: at(1), value }],
});
const OVERVIEW: Overview = {
  longest_offline: ranking('status=disconnected', 3),
  failed_updates: ranking('failed_update=yes', 0),
  fullest_disks: ranking('disk>=80', 7, 93.7),
  hottest: ranking('temperature>=70', 2, 81),
  least_memory: ranking('memory>=90', 1, 90),
  newest: ranking('created<30d', 9),
  versions: [
    { version: '0.3.0', devices: 8, connected: 8 },
    { version: '', devices: 2, connected: 0 },
  ],
};

const event = (id: string, kind: Activity['kind'], change: Partial<Activity> = {}): Activity => ({
  id,
  at: at(2),
  kind,
  device: { id: `d${id}`, name: `Device ${id}` },
  account,
  detail: '',
  actor: '',
  ...change,
});

let hub: FakeHub;
let devices = { total: 10, connected: 7 };

beforeEach(() => {
  devices = { total: 10, connected: 7 };
  hub = new FakeHub()
    .on(/^\/api\/home$/, () => ({ body: { devices } }))
    .on(/^\/api\/home\/overview$/, () => ({ body: OVERVIEW }))
    .on(/^\/api\/alerts\/counts$/, () => ({ body: { open: { critical: 1, warning: 4, info: 0 }, unacknowledged: 5 } }))
    .on(/^\/api\/activity$/, () => ({ body: { activity: [] } }))
    .on(/^\/api\/device_trend$/, (url) => ({
      body: {
        hours: Number(url.searchParams.get('hours')),
        counts: [1, 2, 3].map((hour) => ({ at: at(hour), total: 10, connected: 4 + hour })),
      },
    }))
    .on(/^\/api\/alerts\/trend$/, (url) => ({
      body: {
        hours: Number(url.searchParams.get('hours')),
        counts: [1, 2, 3].map((hour) => ({ at: at(hour), critical: hour === 2 ? 2 : 1, warning: hour, info: 0 })),
      },
    }));
});

function open(address = '/', session: Partial<Session> = {}) {
  const element = (
    <SessionContext value={person(session)}>
      <HomePage />
    </SessionContext>
  );
  return show([{ path: '/', element }], address);
}

const card = (name: string) => screen.findByRole('region', { name });
const linkIn = async (name: string, link: string | RegExp) =>
  within(await card(name)).findByRole('link', { name: link });
const filterOf = (link: HTMLElement) =>
  new URL(link.getAttribute('href') ?? '', 'http://hub').searchParams.get('filter');

describe('Home', () => {
  it('counts devices, each figure with its list', async () => {
    open();
    const counts = within(await card('Devices'));
    expect(await counts.findByText('of 10')).toBeInTheDocument();
    expect(counts.getByRole('progressbar', { name: '70 % of your devices are connected' })).toBeInTheDocument();
    const filters = counts.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(filters).toEqual([
      ['7', `${LIST}?filter=status%3Dconnected`],
      ['3', `${LIST}?filter=status%3Ddisconnected`],
    ]);
  });

  it.each([
    ['Longest offline', 'status=disconnected', 3, 'ago'],
    ['Fullest disks', 'disk>=80', 7, '93.7 %'],
    ['Hottest', 'temperature>=70', 2, '81 °C'],
    ['Least free memory', 'memory>=90', 1, '90 %'],
    ['Newest devices', 'created<30d', 9, 'ago'],
  ] as const)('ranks: %s', async (name, filter, total, value) => {
    open();
    const all = await linkIn(name, `See all ${total}`);
    expect(filterOf(all)).toBe(filter);
    expect(await linkIn(name, 'Pump')).toHaveAttribute('href', `${LIST}/d1`);
    expect(within(await card(name)).getByRole('listitem')).toHaveTextContent(value);
  });

  it('says what an empty ranking means, without a link', async () => {
    open();
    const none = await card('Failed updates');
    expect(await within(none).findByText('None. No device waits for another try.')).toBeInTheDocument();
    expect(within(none).queryByRole('link')).not.toBeInTheDocument();
  });

  it('has versions for those who may only view, also what is not known', async () => {
    open();
    expect(filterOf(await linkIn('Agent versions', '0.3.0'))).toBe('agent=0.3.0');
    expect(filterOf(await linkIn('Agent versions', 'Not reported yet'))).toBe('-agent~.');
  });

  it('leads to further versions only those who roll them out', async () => {
    const versions = Array.from({ length: 7 }, (_, minor) => ({ version: `0.${minor}.0`, devices: 1, connected: 1 }));
    hub.on(/^\/api\/home\/overview$/, () => ({ body: { ...OVERVIEW, versions } }));
    open();
    expect(await within(await card('Agent versions')).findByText('2 more versions')).not.toHaveAttribute('href');
  });

  it('counts open alerts by severity, each with its list', async () => {
    open();
    const alerts = within(await card('Open alerts'));
    expect(await alerts.findByRole('link', { name: 'See all 5' })).toHaveAttribute('href', '/alerts');
    const rows = alerts.getAllByRole('listitem').map((row) => {
      const link = within(row).getByRole('link');
      return [row.textContent, link.getAttribute('href')];
    });
    expect(rows).toEqual([
      ['Critical1', '/alerts?severity=critical'],
      ['Warning4', '/alerts?severity=warning'],
      ['Info0', '/alerts?severity=info'],
    ]);
  });

  it('draws connected devices over time, and open alerts by choice, in the address', async () => {
    const router = open();
    const user = userEvent.setup();
    await screen.findByRole('img', {
      name: 'Connected devices in the last 24 hours: minimum 5, maximum 7, now 7 of 10.',
    });
    expect(hub.asked.map(({ pathname }) => pathname)).not.toContain('/api/alerts/trend');
    await user.click(screen.getByRole('radio', { name: 'Open alerts' }));
    await user.click(screen.getByRole('radio', { name: '7 days' }));
    const name = 'Open alerts in the last 7 days: minimum 2, maximum 4, now 4 (1 critical).';
    expect(await screen.findByRole('img', { name })).toBeInTheDocument();
    expect(hub.lastQuery('/api/alerts/trend')).toEqual({ hours: '168' });
    expect(router.state.location.search).toBe('?trend=alerts&hours=168');
    const before = hub.asked.length;
    act(() => FakeEventSource.say({ kind: 'alert', id: ACCOUNT, account: ACCOUNT }));
    await waitFor(() => expect(hub.asked.slice(before).map(({ pathname }) => pathname)).toContain('/api/alerts/trend'));
  });

  it('lists what devices did, for everybody, by topic', async () => {
    hub.on(/^\/api\/activity$/, (url) => ({
      body: {
        activity: [
          event('1', 'connected'),
          event('2', 'disconnected'),
          event('3', 'enrolled', { actor: 'Ada' }),
          event('4', 'bulk_action', { detail: 'reboot', actor: 'Ada' }),
          event('5', 'deleted'),
        ].slice(url.searchParams.get('topic') === 'changes' ? 2 : 0),
      },
    }));
    const router = open();
    const lately = within(await card('What changed lately'));
    await lately.findByText('Device 1');
    expect(lately.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Device 1 connected/),
      expect.stringMatching(/^Device 2 disconnected/),
      expect.stringMatching(/^Device 3 enrolled by Ada/),
      expect.stringMatching(/^Device 4 was rebooted by a bulk job by Ada/),
      expect.stringMatching(/^Device 5 was deleted/),
    ]);
    expect(lately.getByRole('link', { name: 'Device 2' })).toHaveAttribute('href', `${LIST}?device=d2`);
    expect(lately.queryByRole('link', { name: 'Device 5' })).not.toBeInTheDocument();
    await userEvent.click(lately.getByRole('radio', { name: 'Changes' }));
    await waitFor(() => expect(lately.getAllByRole('listitem')).toHaveLength(3));
    expect(router.state.location.search).toBe('?events=changes');
  });

  it('welcomes people without devices', async () => {
    devices = { total: 0, connected: 0 };
    open();
    expect(await screen.findByText('Welcome to Warren')).toBeInTheDocument();
    expect(screen.getByText('Seamlessly connect')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Hottest' })).not.toBeInTheDocument();
  });

  it('says why there is no overview, and keeps the rest', async () => {
    hub.on(/^\/api\/home\/overview$/, () => ({ status: 503, body: { message: 'unavailable: devices is away.' } }));
    open();
    expect(await screen.findByText('devices is away.')).toBeInTheDocument();
    expect(await within(await card('Devices')).findByText('of 10')).toBeInTheDocument();
  });
});
