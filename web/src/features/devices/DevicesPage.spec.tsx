import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { DevicesPage } from './DevicesPage.tsx';

let hub: FakeHub;
let rows = [device()];
let total = 1;

beforeEach(() => {
  rows = [device()];
  total = 1;
  hub = new FakeHub()
    .on(/^\/api\/devices$/, () => ({ body: { total, devices: rows } }))
    .on(/^\/api\/devices\/d1$/, () => ({ body: { result: rows[0] } }))
    .on(/^\/api\/accounts$/, () => ({ body: { total: 0, accounts: [] } }));
});

function open(query = '', session: Session = person()) {
  const element = (
    <SessionContext value={session}>
      <DevicesPage />
    </SessionContext>
  );
  return show([{ path: '/devices/:account_id', element }], `/devices/${ACCOUNT}${query}`);
}

const asked = () => hub.lastQuery('/api/devices');
const heads = () =>
  screen.getAllByRole('columnheader').map((head) => [head.textContent, head.getAttribute('aria-sort')]);

describe('the devices list', () => {
  it('asks the hub for what the address says', async () => {
    total = 51;
    open('?search=pump&sort=name&order=desc&page=2');
    await screen.findByRole('button', { name: 'Greenhouse' });
    expect(asked()).toEqual({ account: ACCOUNT, page: '2', limit: '50', sort: 'name', order: 'desc', search: 'pump' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Northwind Account / Devices list');
    expect(screen.getByRole('searchbox')).toHaveValue('pump');
  });

  it('sorts by a click on a head, and says so in the address and to those who listen', async () => {
    const router = open();
    const user = userEvent.setup();
    await screen.findByRole('button', { name: 'Greenhouse' });
    expect(heads()).toContainEqual(['Status', 'ascending']);
    await user.click(screen.getByRole('button', { name: 'Status' }));
    expect(router.state.location.search).toBe('?order=desc');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'status', order: 'desc' }));
    await user.click(screen.getByRole('button', { name: 'Device name' }));
    expect(router.state.location.search).toBe('?sort=name');
    expect(heads()).toContainEqual(['Device name', 'ascending']);
    expect(heads()).toContainEqual(['Status', 'none']);
  });

  it('searches from two characters, and restores the list when cleared', async () => {
    open();
    const user = userEvent.setup();
    await screen.findByRole('button', { name: 'Greenhouse' });
    await user.type(screen.getByRole('searchbox'), 'pu');
    await waitFor(() => expect(asked()).toMatchObject({ search: 'pu' }));
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    await waitFor(() => expect(screen.getByRole('searchbox')).toHaveValue(''));
    expect(hub.asked.filter((url) => url.searchParams.get('search') === 'p')).toEqual([]);
  });

  it('goes to the last page where the one in the address is gone', async () => {
    hub.on(/^\/api\/devices$/, (url) => {
      const behind = url.searchParams.get('page') !== '1';
      return { body: { total: 1, devices: behind ? [] : rows } };
    });
    const router = open('?sort=name&page=3');
    await screen.findByRole('button', { name: 'Greenhouse' });
    expect(router.state.location.search).toBe('?sort=name');
    expect(screen.queryByText('No devices found.')).not.toBeInTheDocument();
  });

  it('shows pages only when there is more than one', async () => {
    const router = open();
    await screen.findByRole('button', { name: 'Greenhouse' });
    expect(screen.queryByRole('button', { name: 'Next page' })).not.toBeInTheDocument();
    total = 51;
    act(() => FakeEventSource.say({ kind: 'device', id: 'd1', account: ACCOUNT }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    expect(router.state.location.search).toBe('?page=2');
    await waitFor(() => expect(asked()).toMatchObject({ page: '2' }));
  });

  it('shows a device that goes by itself, and takes the way to its console away', async () => {
    open();
    expect(await screen.findByRole('link', { name: 'Open console of Greenhouse' })).toHaveAttribute(
      'href',
      '/device/ssh/d1',
    );
    rows = [device({ status: 'Disconnected' })];
    act(() => FakeEventSource.say({ kind: 'device', id: 'd1', account: ACCOUNT }));
    expect(await screen.findByText('Disconnected')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Open console of Greenhouse' })).not.toBeInTheDocument();
  });

  it('shows whose a device is to operator users alone', async () => {
    open('', person({ operator: true }));
    await screen.findByRole('button', { name: 'Greenhouse' });
    expect(heads().map(([label]) => label)).toContain('Account');
  });

  it('does not show it to others', async () => {
    open();
    await screen.findByRole('button', { name: 'Greenhouse' });
    expect(heads().map(([label]) => label)).not.toContain('Account');
  });

  it('opens the details from the name, and keeps them in the address', async () => {
    const router = open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Greenhouse' }));
    const dialog = await screen.findByRole('dialog', { name: 'Device Details' });
    expect(await within(dialog).findByText('203.0.113.9')).toBeInTheDocument();
    expect(within(dialog).getByText('8.0 GiB')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?device=d1');
  });

  it('copies the address of a device', async () => {
    open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Copy private IP of Greenhouse' }));
    expect(await navigator.clipboard.readText()).toBe(rows[0]?.private_ip);
  });

  it('says what an empty list means, and offers the next step with permission only', async () => {
    rows = [];
    total = 0;
    open('', person({ group: { id: 'g', role: 'Owner' } as never }));
    expect(await screen.findByText('No devices found.')).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Add device' })).toHaveLength(2);
  });

  it('offers nothing to a Member', async () => {
    rows = [];
    total = 0;
    open();
    expect(await screen.findByText('No devices found.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Add device' })).not.toBeInTheDocument();
  });

  it('says why there is no list', async () => {
    hub.on(/^\/api\/devices$/, () => ({ status: 503, body: { message: 'unavailable: the devices service is away.' } }));
    open();
    expect(await screen.findByText('the devices service is away.')).toBeInTheDocument();
  });
});
