import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import type { Device, Session } from '../../../lib/api/types.ts';
import { SessionContext } from '../../../lib/session.ts';
import { alert } from '../../../testing/alerts.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { DeviceOverviewPage } from './DeviceOverviewPage.tsx';

const FROM = 1_772_614_800;
const series = (values: (number | null)[]) => ({
  name: 'cpu',
  unit: 'percent',
  instance: null,
  total: null,
  min: null,
  values,
  max: values.map((value) => value && value + 5),
});

let hub: FakeHub;

beforeEach(() => {
  // uPlot draws on any context; what it draws is for eyes.
  const context = new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  Object.assign(globalThis, {
    Path2D: class {
      addPath() {}
      lineTo() {}
      moveTo() {}
      rect() {}
      arc() {}
    },
  });
  const opened = alert({ openedAt: new Date((FROM + 600) * 1_000).toISOString() });
  hub = new FakeHub()
    .on(/\/metrics$/, () => ({ body: { from: FROM, to: FROM + 900, step: 300, times: [], series: [] } }))
    .on(/\/events$/, () => ({ body: { events: [{ time: FROM + 300, kind: 'boot', text: 'Booted' }] } }))
    .on(/^\/api\/alerts$/, () => ({ body: { total: 1, alerts: [opened] } }));
});

function open(change: Partial<Device> = {}, session: Partial<Session> = {}) {
  hub.on(/^\/api\/devices\/d1$/, () => ({ body: { result: device(change) } }));
  const views = ({ head, overview }: { head: ReactNode; overview: ReactNode }) => (
    <>
      {head}
      {overview}
    </>
  );
  const element = (
    <SessionContext value={person(session)}>
      <DeviceOverviewPage views={views} />
    </SessionContext>
  );
  return show([{ path: '/devices/:account_id/:id', element }], `/devices/${ACCOUNT}/d1?from=${FROM}&to=${FROM + 900}`);
}

describe("a device's own page", () => {
  it('says since when the device is connected, and what it is', async () => {
    open({ temperature: 51 });
    const facts = await screen.findByRole('complementary', { name: 'Facts' });
    const value = (label: string) => within(facts).getByText(label).nextElementSibling;
    for (const [label, text] of [
      ['System', 'Debian'],
      ['Kernel', '6.6'],
      ['Agent', '0.1.0'],
      ['Temperature', '51'],
    ] as const)
      expect(value(label)).toHaveTextContent(text);
    expect(document.querySelector('[data-presence=Connected]')).toHaveTextContent(/^Connected ?since .*2026/);
  });

  it.each([
    ['Device Name', 'rpi-1'],
    ['Custom Name', 'Greenhouse'],
    ['Device ID', 'd1'],
    ['Model', 'Pi'],
    ['System', 'Debian'],
    ['Kernel', '6.6'],
    ['Agent', '0.1.0'],
    ['Serial', 's1'],
  ])('copies a fact: %s', async (label, value) => {
    const user = userEvent.setup();
    open();
    const facts = await screen.findByRole('complementary', { name: 'Facts' });
    await user.click(within(facts).getByRole('button', { name: `Copy ${label}` }));
    expect(await navigator.clipboard.readText()).toBe(value);
    expect(within(facts).getByRole('button', { name: 'Copied' })).toBeInTheDocument();
  });

  it('offers no copy of what the device does not report, nor of its name as its custom name', async () => {
    open({ model: '', custom_name: 'rpi-1' });
    const facts = await screen.findByRole('complementary', { name: 'Facts' });
    for (const label of ['Model', 'Custom Name'])
      expect(within(facts).getByText(label).nextElementSibling).toHaveTextContent('–');
    expect(within(facts).queryByRole('button', { name: /^Copy (Model|Custom Name)/ })).not.toBeInTheDocument();
  });

  it('says that no such device exists, and leads to the others', async () => {
    open();
    hub.on(/^\/api\/devices\/d1$/, () => ({ status: 404, body: { message: 'Not found: device d1.' } }));
    expect(await screen.findByRole('heading', { name: 'There is no such device.' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See all devices' })).toHaveAttribute('href', `/devices/${ACCOUNT}`);
  });

  it('leaves out what the device has not reported', async () => {
    open({ facts_at: null, status: 'Disconnected' });
    expect(await screen.findByText('Private IP')).toBeInTheDocument();
    expect(screen.queryByText('Kernel')).not.toBeInTheDocument();
  });

  it('reboots the device for those who may manage it', async () => {
    hub.on(/reboot/, () => ({ body: { msg: 'done' } }));
    open({ permissions: ['view', 'manage'] });
    await userEvent.click(await screen.findByRole('button', { name: /^Reboot/ }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Reboot/ }));
    expect(hub.sent.filter((call) => call.includes('reboot'))).toHaveLength(1);
  });

  it("says why a disconnected device can't be rebooted", async () => {
    open({ permissions: ['view', 'manage'], status: 'Disconnected' });
    const button = await screen.findByRole('button', { name: /^Reboot/ });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('The device has to be connected.');
    act(() => button.focus());
    expect(await screen.findByRole('tooltip')).toHaveTextContent('The device has to be connected.');
    await userEvent.click(button);
    await userEvent.keyboard('{Enter}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('offers no reboot to others', async () => {
    open();
    await screen.findByRole('complementary', { name: 'Facts' });
    expect(screen.queryByRole('button', { name: /^Reboot/ })).not.toBeInTheDocument();
  });

  it('lists events and alerts of the shown time, the newest first', async () => {
    open();
    await screen.findByText('Alert: Offline');
    const happened = screen.getAllByRole('listitem').map((item) => item.textContent);
    const [alerted, booted] = ['Alert: Offline', 'Booted'].map((text) =>
      happened.findIndex((one) => one?.includes(text)),
    );
    expect(booted).toBeGreaterThan(alerted ?? -1);
  });

  it('draws a line of each series, and says its values', async () => {
    const times = [FROM, FROM + 300, FROM + 600];
    hub.on(/\/metrics$/, () => ({
      body: { from: FROM, to: FROM + 900, step: 300, times, series: [series([10, null, 40])] },
    }));
    open();
    expect(await screen.findByRole('img', { name: /^CPU\..*last 40 %, from 10 % to 40 %/ })).toBeInTheDocument();
    expect(document.querySelectorAll('.u-legend .u-series')).toHaveLength(3);
  });

  it.each([
    ['Member', 0],
    ['Owner', 1],
  ] as const)('has who was there for those who may read the audit trail: %s', async (role, lists) => {
    hub.on(/^\/api\/audit\/events$/, () => ({ body: { events: [], next: null } }));
    open({}, { group: { id: 'g', role } as never });
    await screen.findByText('Alert: Offline');
    if (lists > 0) await screen.findByRole('heading', { name: 'Recent sessions' });
    expect(hub.asked.filter(({ pathname }) => pathname === '/api/audit/events')).toHaveLength(lists);
  });

  it('moves and zooms a chart by keys, says what it shows, and keeps the chart where there are no values', async () => {
    hub.on(/\/metrics$/, (url) => {
      const [from, to] = ['from', 'to'].map((key) => Number(url.searchParams.get(key))) as [number, number];
      const hasValues = from === FROM || to - from === 86_400;
      const body = { from, to, step: 300, times: hasValues ? [from] : [], series: hasValues ? [series([10])] : [] };
      return { body };
    });
    const router = open();
    const shownNow = () => {
      const query = new URLSearchParams(router.state.location.search);
      return `${Number(query.get('from')) - FROM} ${Number(query.get('to')) - FROM}`;
    };
    const user = userEvent.setup();
    const chart = await screen.findByRole('application', { name: 'Zoom CPU' });
    expect(chart).toHaveAccessibleDescription(/move in time/);
    act(() => chart.focus());
    const status = screen.getByRole('status');
    const before = status.textContent;
    for (const [key, span] of [
      ['{ArrowLeft}', '-225 675'],
      ['+', '225 675'],
      ['-', '-225 675'],
    ] as const) {
      await user.keyboard(key);
      await waitFor(() => expect(shownNow()).toBe(span));
    }
    await screen.findByRole('img', { name: 'CPU: no values' });
    expect(screen.getByText('No samples in this range')).toBeInTheDocument();
    const [, inChart] = screen.getAllByRole('button', { name: 'Reset zoom' });
    expect(chart).toHaveFocus();
    expect(status.textContent).toMatch(/^Shown: /);
    expect(status.textContent).not.toBe(before);
    if (inChart) await user.click(inChart);
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(status).toHaveTextContent('Shown: 24 hours');
    expect(chart).toHaveFocus();
    await user.keyboard('+');
    await waitFor(() => expect(router.state.location.search).not.toBe(''));
    await user.keyboard('0');
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('says that a range has no samples, and why there may be none yet', async () => {
    const router = open();
    expect(await screen.findByText('No samples in this range')).toBeInTheDocument();
    const [reset] = screen.getAllByRole('button', { name: 'Reset zoom' });
    if (reset) await userEvent.click(reset);
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(screen.getByText(/first points of a new device/)).toBeInTheDocument();
  });
});
