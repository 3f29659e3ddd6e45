import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { devicesHub, open } from '../../testing/devices-page.tsx';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import type { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../testing/people.ts';

let hub: FakeHub;
let rows = [device()];
let total = 1;

beforeEach(() => {
  rows = [device()];
  total = 1;
  hub = devicesHub(() => ({ total, devices: rows }));
});

const asked = () => hub.lastQuery('/api/devices');
const heads = () =>
  screen.getAllByRole('columnheader').map((head) => [head.textContent, head.getAttribute('aria-sort')]);

describe('the devices list', () => {
  it('asks the hub for what the address says', async () => {
    total = 51;
    open('?search=pump&sort=name&order=desc&page=2');
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(asked()).toEqual({ account: ACCOUNT, page: '2', limit: '50', sort: 'name', order: 'desc', search: 'pump' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Northwind Account / Devices list');
    expect(screen.getByRole('combobox', { name: 'Search devices' })).toHaveValue('pump');
  });

  it('sorts by a click on a head, and says so in the address and to those who listen', async () => {
    const router = open();
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(heads()).toContainEqual(['Status', 'ascending']);
    await user.click(screen.getByRole('button', { name: 'Status' }));
    expect(router.state.location.search).toBe('?order=desc');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'status', order: 'desc' }));
    await user.click(screen.getByRole('button', { name: 'Device name' }));
    expect(router.state.location.search).toBe('?sort=name');
    expect(heads()).toContainEqual(['Device name', 'ascending']);
    expect(heads()).toContainEqual(['Status', 'none']);
  });

  it('sorts by the values of a label, and by the latest value of a day', async () => {
    const router = open('?columns=cpuDay,label:site');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'site' }));
    expect(new URLSearchParams(router.state.location.search).get('sort')).toBe('label:site');
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'label:site', order: 'asc' }));
    expect(heads()).toContainEqual(['site', 'ascending']);
    await user.click(screen.getByRole('button', { name: 'CPU, 24 h' }));
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'cpu', order: 'asc' }));
    expect(heads()).toContainEqual(['site', 'none']);
  });

  it('ignores a sort that is none', async () => {
    open('?sort=label:a%20b');
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(asked()).toMatchObject({ sort: 'status' });
  });

  it('shows the columns that are chosen, and keeps them in the address', async () => {
    const router = open();
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(heads().map(([label]) => label)).not.toContain('Model');
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Model' }));
    expect(heads()).toContainEqual(['Model', 'none']);
    expect(new URLSearchParams(router.state.location.search).get('columns')).toBe('account,address,model,web');
  });

  it('labels selected devices, and all that are found', async () => {
    rows = [device(), device({ id: 'd2', custom_name: 'Pump' })];
    total = 120;
    hub
      .on(/^\/api\/devices\/labels$/, () => ({ body: { changed: 2 } }))
      .on(/^\/api\/labels$/, () => ({ body: { labels: [] } }));
    open('?filter=os~debian', person({ permissions: ['devices.label'] as never }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole('checkbox', { name: 'Select Greenhouse' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select Pump' }));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('2 selected')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Edit labels' }));
    await user.type(await screen.findByRole('combobox', { name: 'Labels to set' }), 'site=north,');
    await user.click(screen.getByRole('button', { name: 'Apply labels' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/devices/labels')).toEqual({ ids: ['d1', 'd2'], set: { site: 'north' }, remove: [] }),
    );
    await waitFor(() => expect(screen.queryByText('2 selected')).not.toBeInTheDocument());

    await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
    await user.click(screen.getByRole('button', { name: 'Select all 120' }));
    expect(screen.getByText('All 120 selected')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Edit labels' }));
    await user.type(await screen.findByRole('combobox', { name: 'Labels to remove' }), 'ring,');
    await user.click(screen.getByRole('button', { name: 'Apply labels' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/devices/labels')).toEqual({
        account: ACCOUNT,
        filter: 'os~debian',
        set: {},
        remove: ['ring'],
      }),
    );
  });

  it('has no checkboxes for people who may label nothing', async () => {
    open();
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  it('is walked by keys', async () => {
    rows = [device(), device({ id: 'd2', custom_name: 'Pump' })];
    const router = open('', person({ permissions: ['devices.label'] as never }));
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Greenhouse' });
    await user.keyboard('jjx');
    expect(screen.getByRole('checkbox', { name: 'Select Pump' })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'Select Greenhouse' })).not.toBeChecked();
    await user.keyboard('k{Enter}');
    expect(router.state.location.search).toBe('?device=d1');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('o');
    expect(await screen.findByText('The page')).toBeInTheDocument();
    expect(router.state.location.pathname).toBe(`/devices/${ACCOUNT}/d1`);
  });

  it('goes to the last page where the one in the address is gone', async () => {
    hub.on(/^\/api\/devices$/, (url) => {
      const behind = url.searchParams.get('page') !== '1';
      return { body: { total: 1, devices: behind ? [] : rows } };
    });
    const router = open('?sort=name&page=3');
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(router.state.location.search).toBe('?sort=name');
    expect(screen.queryByText('No devices found.')).not.toBeInTheDocument();
  });

  it('shows pages only when there is more than one', async () => {
    const router = open();
    await screen.findByRole('link', { name: 'Greenhouse' });
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
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(heads().map(([label]) => label)).toContain('Account');
  });

  it('does not show it to others', async () => {
    open();
    await screen.findByRole('link', { name: 'Greenhouse' });
    expect(heads().map(([label]) => label)).not.toContain('Account');
  });

  it('opens the details from the name, and keeps them in the address', async () => {
    const router = open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('link', { name: 'Greenhouse' }));
    const dialog = await screen.findByRole('dialog', { name: 'Device Details' });
    expect(await within(dialog).findByText('203.0.113.9')).toBeInTheDocument();
    expect(within(dialog).getByText('8.0 GiB')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?device=d1');
  });

  it('leaves the name to the browser with a key for new tabs', async () => {
    const router = open();
    const user = userEvent.setup();
    const name = await screen.findByRole('link', { name: 'Greenhouse' });
    expect(name).toHaveAttribute('href', `/devices/${ACCOUNT}/d1`);
    const left: boolean[] = [];
    const browser = (event: Event) => {
      left.push(!event.defaultPrevented);
      event.preventDefault();
    };
    document.addEventListener('click', browser);
    try {
      await user.keyboard('{Control>}');
      await user.click(name);
      await user.keyboard('{/Control}');
      await user.click(name);
    } finally {
      document.removeEventListener('click', browser);
    }
    expect(left).toEqual([true, false]);
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
