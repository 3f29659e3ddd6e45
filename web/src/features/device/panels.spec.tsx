import { beforeEach, describe, expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Device } from '../../lib/api/types.ts';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { Panel } from './Panel.tsx';
import type { PanelId } from './Panel.tsx';
import { tabsOf } from './Rail.tsx';

const admin = person({ permissions: ['devices.manage'], group: { id: 'g', role: 'SuperAdmin' } });
let changes: string[] = [];
let hub: FakeHub;
/** Whether the hub serves the web services of its devices. */
let web = true;

beforeEach(() => {
  changes = [];
  web = true;
  hub = new FakeHub().on(/^\/server\/get_workspace$/, () => ({ body: { features: { web } } }));
  hub.on(/^\/tunnel\/|\/reboot$/, (url, request) => {
    changes.push(`${request.method} ${url.pathname}`);
    return { body: { msg: 'done' } };
  });
});

function open(id: PanelId, subject = device(), session: Session = admin) {
  const element = (
    <SessionContext value={session}>
      <Panel id={id} device={subject} pinned={false} onPin={() => undefined} onClose={() => undefined} />
    </SessionContext>
  );
  const routes = [
    { path: '/device/ssh/:id', element },
    { path: '/devices/:account_id', element: <p>The list</p> },
  ];
  return show(routes, '/device/ssh/d1');
}

describe('the panels of a device', () => {
  it('offer to delete with permission to manage devices only', () => {
    expect(tabsOf(person(), device()).map((tab) => tab.id)).toEqual(['details', 'wormhole', 'logs']);
    const withoutTerminal = device({ permissions: ['view', 'web'] });
    expect(tabsOf(person(), withoutTerminal).map((tab) => tab.id)).toEqual(['details', 'wormhole']);
    expect(tabsOf(admin, device()).map((tab) => tab.id)).toEqual(['details', 'wormhole', 'logs', 'delete']);
  });

  it('measure the way to a device that is there, and say when a second machine uses its identity', async () => {
    hub.on(/\/round_trip$/, () => ({ body: { round_trip: 4.25 } }));
    open('details', device({ cloned: 'Yes' }), person());
    expect(await screen.findByText('4.3 ms')).toBeInTheDocument();
    expect(screen.getByText('Two machines use this identity')).toBeInTheDocument();
    cleanup();
    open('details', device({ status: 'Disconnected' }), person());
    expect(await screen.findByText('Greenhouse')).toBeInTheDocument();
    expect(screen.queryByText('Round trip')).not.toBeInTheDocument();
    expect(screen.queryByText('Two machines use this identity')).not.toBeInTheDocument();
  });

  it('give the entry of a device that is away to new hardware, of devices that enrolled later', async () => {
    const owner = person({ permissions: ['devices.enrol'] });
    const old = device({ status: 'Disconnected' });
    const fresh = device({ id: 'd2', serial: 's2', custom_name: 'raspberrypi', created: '2026-03-05T10:00:00.000Z' });
    const older = device({ id: 'd0', serial: 's0', custom_name: 'Older', created: '2026-03-01T10:00:00.000Z' });
    hub.on(/^\/api\/devices$/, () => ({ body: { total: 3, devices: [old, fresh, older] } }));
    hub.on(/\/replace$/, () => ({ body: { msg: 'done', result: old } }));
    open('details', old, owner);
    await userEvent.click(await screen.findByRole('button', { name: 'Replace hardware' }));
    await userEvent.click(await screen.findByRole('combobox', { name: /New hardware/ }));
    const option = await screen.findByRole('option', { name: 'raspberrypi (s2)' });
    expect(screen.getAllByRole('option')).toHaveLength(1);
    await userEvent.click(option);
    await userEvent.click(screen.getByRole('button', { name: 'Replace' }));
    await waitFor(() => expect(hub.sent).toContain('POST /api/devices/d2/replace'));
    expect(hub.lastBody('/api/devices/d2/replace')).toEqual({ replaces: 'd1', new_hardware: true });
  });

  it('offer no new hardware for a device that is connected, nor without permission to enrol', async () => {
    open('details', device(), person({ permissions: ['devices.enrol'] }));
    expect(await screen.findByText('Greenhouse')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Replace hardware' })).not.toBeInTheDocument();
    cleanup();
    open('details', device({ status: 'Disconnected' }), person());
    expect(await screen.findByText('Greenhouse')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Replace hardware' })).not.toBeInTheDocument();
  });

  it('ask which machine the device is, and send the decision', async () => {
    const owner = person({ permissions: ['devices.enrol'] });
    const at = '2026-03-05T10:00:00.000Z';
    const machine = { serial: 's9', model: 'Pi 5', public_ip: '203.0.113.10', first_seen: at, last_seen: at };
    const subject = device({ machine_waits: 'Yes', machines: [{ ...machine, separates: 'No' }] });
    hub.on(/\/machines$/, () => ({ body: { msg: 'done', result: subject } }));
    open('details', subject, owner);
    const section = within(await screen.findByRole('region', { name: /Two machines use this device's identity: s9/ }));
    for (const shown of ['s1', 's9', 'Pi 5', '203.0.113.10', 'Connected now'])
      expect(section.getByText(shown)).toBeInTheDocument();
    await userEvent.click(section.getByRole('button', { name: 'Make it a separate device' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Separate' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/devices/d1/machines')).toEqual({ serial: 's9', decision: 'separate' }),
    );
    await userEvent.click(section.getByRole('button', { name: 'Replace the hardware' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/devices/d1/machines')).toEqual({ serial: 's9', decision: 'replace' }),
    );
  });

  it('show a waiting machine without permission to decide, and what was decided', async () => {
    const at = '2026-03-05T10:00:00.000Z';
    const machine = { model: '', public_ip: '', first_seen: at, last_seen: at };
    const machines: Device['machines'] = [
      { ...machine, serial: 's8', separates: 'Yes' },
      { ...machine, serial: 's9', separates: 'No' },
    ];
    open('details', device({ status: 'Disconnected', machine_waits: 'Yes', machines }), person());
    expect(await screen.findByText(/serial s8 becomes a separate device/)).toBeInTheDocument();
    const section = within(screen.getByRole('region', { name: /Other hardware uses this device's identity: s9/ }));
    expect(section.getByText(/SuperAdmins and the owner of the account decide/)).toBeInTheDocument();
    expect(section.queryByRole('button')).not.toBeInTheDocument();
  });

  it('show what a device measures of itself, and nothing of another', async () => {
    const shown = async (change: Parameters<typeof device>[0]) => {
      cleanup();
      open('details', device({ status: 'Disconnected', ...change }), person());
      expect(await screen.findByText('Greenhouse')).toBeInTheDocument();
    };
    await shown({});
    expect(screen.queryByText('Temperature')).not.toBeInTheDocument();
    expect(screen.queryByText('Throttling')).not.toBeInTheDocument();
    await shown({ temperature: 0, throttling: { now: [], since_start: [] } });
    expect(screen.getByText('0 °C')).toBeInTheDocument();
    expect(screen.getByText('None')).toBeInTheDocument();
    await shown({ throttling: { now: ['throttled'], since_start: ['under_voltage', 'throttled'] } });
    expect(screen.getByText('Now: Throttled; Since it started: Under-voltage')).toBeInTheDocument();
    for (const label of ['Fullest disk', 'Load', 'Clock']) expect(screen.queryByText(label)).not.toBeInTheDocument();
    await shown({ fullest_disk: '/data', fullest_disk_usage: 93.5, load: 0.42, clock_offset: -2 });
    for (const value of ['/data, 93.5 %', '0.4', 'In sync']) expect(screen.getByText(value)).toBeInTheDocument();
    await shown({ clock_offset: 3_700 });
    expect(screen.getByText('1 h 1 min ahead')).toBeInTheDocument();
    await shown({ clock_offset: -90 });
    expect(screen.getByText('1 min behind')).toBeInTheDocument();
  });

  it('take back that the wormhole was closed', async () => {
    notifications.clean();
    open('wormhole', device({ http_enable: 'Yes' }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole('switch', { name: 'Wormhole' }));
    await waitFor(() => expect(notificationsStore.getState().notifications).toHaveLength(1));
    render(<MantineProvider>{notificationsStore.getState().notifications[0]?.message}</MantineProvider>);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(changes).toEqual(['PUT /tunnel/device/http/disable/d1/s1', 'PUT /tunnel/device/http/enable/d1/s1']),
    );
  });

  it('show the wormhole to everybody, and its switch with permission only', async () => {
    open('wormhole', device({ http_enable: 'Yes' }), person());
    expect(await screen.findByText(/localhost port 1880 is exposed/)).toBeInTheDocument();
    cleanup();
    open('wormhole', device({ http_enable: 'Yes', http_ip: '192.168.1.20', http_port: 80 }), person());
    expect(await screen.findByText(/running on 192\.168\.1\.20 port 80 is exposed/)).toBeInTheDocument();
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  });

  it('do not say that a site is exposed where the hub serves none', async () => {
    web = false;
    open('wormhole', device({ http_enable: 'Yes' }), person());
    expect(await screen.findByText(/does not serve the web services/)).toBeInTheDocument();
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  it('switch the wormhole off at once', async () => {
    open('wormhole', device({ http_enable: 'Yes' }));
    await userEvent.click(await screen.findByRole('switch', { name: 'Wormhole' }));
    await waitFor(() => expect(changes).toEqual(['PUT /tunnel/device/http/disable/d1/s1']));
  });

  it('ask for the port before the wormhole is on', async () => {
    open('wormhole');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('switch', { name: 'Wormhole' }));
    const dialog = await screen.findByRole('dialog', { name: 'Enable Webservice' });
    await user.click(within(dialog).getByRole('button', { name: 'Enable' }));
    await waitFor(() => expect(changes).toEqual(['PUT /tunnel/enable_http']));
  });

  it('reboot after asking once more, and only a device that is there', async () => {
    open('details', device({ permissions: ['view', 'manage'] }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Reboot Device' }));
    const dialog = await screen.findByRole('dialog', { name: 'Reboot Device' });
    expect(changes).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Reboot' }));
    await waitFor(() => expect(changes).toEqual(['POST /api/devices/d1/reboot']));
  });

  it('offer no reboot of a device that is away, and none to others', async () => {
    open('details', device({ status: 'Disconnected', permissions: ['view', 'manage'] }));
    const reboot = await screen.findByRole('button', { name: 'Reboot Device' });
    expect(reboot).toHaveAttribute('aria-disabled', 'true');
    expect(reboot).toHaveAccessibleDescription('The device has to be connected.');
    cleanup();
    open('details', device(), person());
    expect(await screen.findByText('Greenhouse')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Reboot Device' })).not.toBeInTheDocument();
  });

  it('delete after the name has been typed, and lead back to the list', async () => {
    const router = open('delete');
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: 'Type Greenhouse to confirm' }), 'Greenhouse{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe(`/devices/${ACCOUNT}`));
    expect(changes).toEqual(['DELETE /tunnel/devices/d1']);
  });
});
