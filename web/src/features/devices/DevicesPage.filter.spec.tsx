import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { devicesHub, open } from '../../testing/devices-page.tsx';
import type { FakeHub } from '../../testing/fake-hub.ts';
import { device, person } from '../../testing/people.ts';

let hub: FakeHub;
let rows = [device()];

beforeEach(() => {
  rows = [device()];
  hub = devicesHub(() => ({ total: 1, devices: rows }));
});

const labeller = person({ permissions: ['devices.label'] as never });
const asked = () => hub.lastQuery('/api/devices');

describe('the devices list', () => {
  it('searches from two characters, and restores the list when cleared', async () => {
    open();
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Greenhouse' });
    await user.type(screen.getByRole('combobox', { name: 'Search devices' }), 'pu');
    await waitFor(() => expect(asked()).toMatchObject({ search: 'pu' }));
    await user.click(screen.getByRole('button', { name: 'Clear filter' }));
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Search devices' })).toHaveValue(''));
    expect(hub.asked.filter((url) => url.searchParams.get('search') === 'p')).toEqual([]);
  });

  it('filters by what is typed, shows its terms, and removes one', async () => {
    const router = open();
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Greenhouse' });
    await user.type(screen.getByRole('combobox', { name: 'Search devices' }), 'site=north cpu>5');
    await waitFor(() => expect(asked()).toMatchObject({ filter: 'site=north cpu>5' }));
    expect(new URLSearchParams(router.state.location.search).get('filter')).toBe('site=north cpu>5');
    await user.click(screen.getByRole('button', { name: 'Remove cpu>5' }));
    await waitFor(() => expect(asked()).toMatchObject({ filter: 'site=north' }));
    expect(screen.getByRole('combobox', { name: 'Search devices' })).toHaveValue('site=north');
  });

  it('says what is wrong with a filter, and keeps the list', async () => {
    open();
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Greenhouse' });
    await user.type(screen.getByRole('combobox', { name: 'Search devices' }), 'cpu>high');
    expect(await screen.findByText('cpu: expected a number from 0 to 100, not “high”.')).toBeInTheDocument();
    expect(hub.asked.filter((url) => url.searchParams.has('filter'))).toEqual([]);
    expect(screen.getByRole('link', { name: 'Greenhouse' })).toBeInTheDocument();
  });

  it('shows what is wrong with a filter in the address in place of the list, and nothing to do with devices', async () => {
    hub.on(/^\/api\/devices$/, (url) => {
      const filter = url.searchParams.get('filter');
      if (filter === null || filter === 'load>1') return { body: { total: 1, devices: rows } };
      const message = 'load: expected a number, not “abc”. (at character 6)';
      const errors = [{ field: 'filter', message }];
      return {
        status: 400,
        body: { statusCode: 400, code: 'invalid_argument', message: `Invalid input (filter): ${message}`, errors },
      };
    });
    hub.on(/^\/api\/filters$/, () => ({ body: { filters: [] } }));
    const router = open('?filter=load%3E1', labeller);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('checkbox', { name: 'Select Greenhouse' }));
    expect(await screen.findByRole('button', { name: 'Save view' })).toBeInTheDocument();
    await act(() => router.navigate('?filter=load%3Eabc'));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The filter is not valid.load: expected a number, not “abc”. (at character 6)');
    expect(screen.queryByText('Greenhouse')).not.toBeInTheDocument();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    expect(screen.queryByText(/selected|in total/)).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Save view' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Views' }));
    expect(await screen.findByRole('menuitem', { name: 'Save as new view…' })).toBeDisabled();
    await user.keyboard('{Escape}');
    await user.click(within(alert).getByRole('button', { name: 'Show all' }));
    expect(await screen.findByRole('link', { name: 'Greenhouse' })).toBeInTheDocument();
    expect(asked()).not.toHaveProperty('filter');
  });

  it('completes a filter by the existing labels', async () => {
    hub.on(/^\/api\/labels$/, () => ({
      body: { labels: [{ key: 'site', count: 2, values: [{ value: 'north', count: 2 }] }] },
    }));
    open();
    const user = userEvent.setup();
    const box = await screen.findByRole('combobox', { name: 'Search devices' });
    await user.type(box, 'site=');
    await user.click(await screen.findByRole('option', { name: /^north/ }));
    await waitFor(() => expect(asked()).toMatchObject({ filter: 'site=north' }));
  });

  it('filters by a label that is clicked', async () => {
    rows = [device({ labels: { site: 'north' } })];
    open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'site=north' }));
    await waitFor(() => expect(asked()).toMatchObject({ filter: 'site=north' }));
  });
});
