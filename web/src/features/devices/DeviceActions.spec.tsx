import { beforeEach, describe, expect, it } from '@jest/globals';
import { notifications, notificationsStore } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { DevicesPage } from './DevicesPage.tsx';

const admin = person({ permissions: ['devices.manage'], group: { id: 'g', role: 'SuperAdmin' } });
const accounts = [
  { id: ACCOUNT, _id: ACCOUNT, name: 'Northwind', status: 'Active' },
  { id: 'a2', _id: 'a2', name: 'Meadow Farms', status: 'Active' },
  { id: 'a3', _id: 'a3', name: 'Closed', status: 'Inactive' },
];

let hub: FakeHub;
let row = device();
let changes: { method: string; path: string; body: unknown }[] = [];
let refusal: { status: number; body: unknown } | null = null;

beforeEach(() => {
  notifications.clean();
  row = device();
  changes = [];
  refusal = null;
  hub = new FakeHub()
    .on(/^\/api\/devices$/, () => ({ body: { total: 1, devices: [row] } }))
    .on(/^\/api\/accounts$/, () => ({ body: { total: 3, accounts } }))
    .on(/^\/tunnel\/|^\/api\/devices\/change_|^\/api\/generate-token\//, (url, request) => {
      const change = { method: request.method, path: url.pathname, body: undefined as unknown };
      changes.push(change);
      void request.text().then((text) => (change.body = text === '' ? null : JSON.parse(text)));
      return refusal ?? { body: { msg: 'done' } };
    });
});

function open(session: Session = admin) {
  const element = (
    <SessionContext value={session}>
      <DevicesPage />
    </SessionContext>
  );
  show([{ path: '/devices/:account_id', element }], `/devices/${ACCOUNT}`);
  return userEvent.setup();
}

const menuButton = () => screen.findByRole('button', { name: 'Actions for Greenhouse' });

async function pick(user: ReturnType<typeof userEvent.setup>, item: string) {
  await user.click(await menuButton());
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

const expectChange = (method: string, path: string, body: unknown) =>
  waitFor(() => expect(changes).toEqual([{ method, path, body }]));

/** A toast that was shown; drawing it is Mantine's. */
const expectToast = (title: string) =>
  waitFor(() => expect(notificationsStore.getState().notifications.map((toast) => toast.title)).toContain(title));

describe('the actions on a device', () => {
  it('are for those whom the hub lets manage devices', async () => {
    open(person({ group: { id: 'g', role: 'Owner' } as never }));
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(screen.queryByRole('button', { name: 'Actions for Greenhouse' })).not.toBeInTheDocument();
  });

  it('are those that its state allows', async () => {
    const user = open();
    await user.click(await menuButton());
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(items).toEqual([
      'Open page',
      'Disable Console',
      'Enable Web',
      'VNC Address',
      'Change Name',
      'Change Key',
      'Change Account',
      'Delete',
    ]);
  });

  it('lead to the page by a link', async () => {
    const user = open();
    await user.click(await menuButton());
    const page = await screen.findByRole('menuitem', { name: 'Open page' });
    expect(page).toHaveAttribute('href', `/devices/${ACCOUNT}/d1`);
  });

  it('offer WebSSH to those whom the hub lists, while the console can be opened', async () => {
    const user = open({ ...admin, webssh: true });
    await user.click(await menuButton());
    expect(await screen.findByRole('menuitem', { name: 'WebSSH' })).toBeInTheDocument();
  });

  it('enable the console at once', async () => {
    row = device({ ssh_enable: 'No' });
    const user = open();
    await pick(user, 'Enable Console');
    await expectChange('PUT', '/tunnel/device/ssh/enable/d1/s1', null);
    await expectToast('Your request successfully done');
  });

  it('disable the console after saying what ends', async () => {
    const user = open();
    await pick(user, 'Disable Console');
    const dialog = await screen.findByRole('dialog', { name: 'Manage device' });
    expect(within(dialog).getByRole('switch', { name: 'Console' })).not.toBeChecked();
    expect(within(dialog).getByRole('status')).toHaveTextContent('Terminals that are open end within seconds.');
    expect(changes).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Save changes' }));
    await expectChange('PUT', '/tunnel/device/ssh/disable/d1/s1', null);
    await expectToast('Your request successfully done');
  });

  it('enable the web service at a port', async () => {
    const user = open();
    await pick(user, 'Enable Web');
    const dialog = await screen.findByRole('dialog', { name: 'Enable Webservice' });
    const port = within(dialog).getByRole('textbox', { name: 'HTTP port' });
    expect(port).toHaveValue('1880');
    await user.clear(port);
    expect(await within(dialog).findByText('Please enter a valid HTTP port')).toBeInTheDocument();
    expect(within(dialog).getByRole('button', { name: 'Enable' })).toBeDisabled();
    await user.type(port, '8080{Enter}');
    const page = { port: 8080, ipaddr: '127.0.0.1', host: 'public' };
    await expectChange('PUT', '/tunnel/enable_http', { id: 'd1', serial: 's1', permissions: [], ...page });
    await expectToast('HTTP request successfully done');
  });

  it('say where the desktop is, by port or display', async () => {
    const user = open();
    await pick(user, 'VNC Address');
    const dialog = await screen.findByRole('dialog', { name: 'VNC Address' });
    const port = within(dialog).getByRole('textbox', { name: 'Port or display' });
    expect(port).toHaveValue('5900');
    await user.clear(port);
    await user.type(port, ':100');
    expect(await within(dialog).findByText(/^Please enter a valid port or display/)).toBeInTheDocument();
    await user.clear(port);
    await user.type(port, ':1{Enter}');
    await expectChange('PUT', '/tunnel/set_vnc', { id: 'd1', serial: 's1', port: 5901, ipaddr: '127.0.0.1' });
  });

  it('change the name, and show what the hub has against it', async () => {
    refusal = { status: 409, body: { message: 'Conflict: that name is reserved.' } };
    const user = open();
    await pick(user, 'Change Name');
    const dialog = await screen.findByRole('dialog', { name: 'Change Hostname' });
    const name = within(dialog).getByRole('textbox', { name: 'Hostname' });
    await user.clear(name);
    expect(await within(dialog).findByText('Please enter a valid hostname')).toBeInTheDocument();
    await user.type(name, 'Barn{Enter}');
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('that name is reserved.');
    refusal = null;
    changes = [];
    await user.click(within(dialog).getByRole('button', { name: 'Change name' }));
    await expectChange('PUT', '/api/devices/change_hostname', { id: 'd1', custom_name: 'Barn' });
    await expectToast('Custom name successfully changed');
  });

  it('move the device into another active account', async () => {
    const user = open();
    await pick(user, 'Change Account');
    const dialog = await screen.findByRole('dialog', { name: 'Change Account' });
    const confirm = within(dialog).getByRole('button', { name: 'Change account' });
    expect(confirm).toBeDisabled();
    await user.click(within(dialog).getByRole('combobox', { name: 'New account' }));
    const options = (await screen.findAllByRole('option', { hidden: true })).map((option) => option.textContent);
    expect(options).toEqual(['Meadow Farms']);
    await user.click(screen.getByRole('option', { name: 'Meadow Farms', hidden: true }));
    await user.click(confirm);
    await expectChange('PUT', '/api/devices/change_account', { id: 'd1', account: 'a2' });
    await expectToast('Custom account successfully changed');
  });

  it('delete the device once its name has been typed, and load the list again', async () => {
    const user = open();
    await pick(user, 'Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete device' });
    const confirm = within(dialog).getByRole('button', { name: 'Delete device' });
    expect(confirm).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox', { name: 'Type Greenhouse to confirm' }), 'Greenhouse');
    const before = hub.asked.filter((url) => url.pathname === '/api/devices').length;
    await user.click(confirm);
    await expectChange('DELETE', '/tunnel/devices/d1', null);
    await expectToast('device successfully removed');
    await waitFor(() =>
      expect(hub.asked.filter((url) => url.pathname === '/api/devices').length).toBeGreaterThan(before),
    );
  });
});
