import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import type { DeviceMetrics } from '../../../lib/api/types.ts';
import { SessionContext } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { DevicesPage } from '../DevicesPage.tsx';
import { comparedCharts, comparedFacts, namesOf } from './compared.ts';
import { ComparePage } from './ComparePage.tsx';

const one = device({ labels: { site: 'north', canary: '' } });
const other = device({
  id: 'd2',
  serial: 's2',
  custom_name: 'Barn',
  kernel: '6.12',
  cpu_usage: 80,
  labels: { site: 'north' },
});

describe('the facts of two devices', () => {
  const of = (id: string) => comparedFacts(one, other).find((fact) => fact.id === id);

  it('are marked where they differ, unless they always do', () => {
    expect(of('kernel')).toMatchObject({ values: ['6.6', '6.12'], differs: true });
    expect(of('model')).toMatchObject({ differs: false });
    expect(of('cpu')).toMatchObject({ values: ['12.5 %', '80 %'], differs: undefined });
  });

  it('include what both measure of themselves', () => {
    const hot = { fullest_disk: '/data', fullest_disk_usage: 93.5, load: 0.42, clock_offset: 90, temperature: 51 };
    const facts = comparedFacts(device(hot), device({ clock_offset: 0 }));
    const shown = (label: string) => facts.find((fact) => fact.label === label);
    expect(shown('Fullest disk')).toMatchObject({ values: ['/data, 93.5 %', '–'], differs: undefined });
    expect(shown('Load')).toMatchObject({ values: ['0.4', '–'], differs: undefined });
    expect(shown('Temperature')).toMatchObject({ values: ['51 °C', '–'], differs: undefined });
    expect(shown('Clock')).toMatchObject({ values: ['1 min ahead', 'In sync'], differs: true });
    expect(shown('Throttling')).toMatchObject({ values: ['–', '–'], differs: false });
  });

  it('include the labels of both', () => {
    expect(of('label:site')).toMatchObject({ values: ['north', 'north'], differs: false });
    expect(of('label:canary')).toMatchObject({ values: ['✓', '–'], differs: true });
  });

  it('are headed by names that tell the devices apart', () => {
    expect(namesOf(one, other)).toEqual(['Greenhouse', 'Barn']);
    expect(namesOf(one, device({ serial: 's9' }))).toEqual(['Greenhouse (s1)', 'Greenhouse (s9)']);
  });
});

const metrics = (times: number[], values: (number | null)[], more: Partial<DeviceMetrics> = {}): DeviceMetrics => ({
  from: 0,
  to: 900,
  step: 300,
  times,
  series: [{ name: 'cpu', unit: 'percent', instance: null, total: null, values, max: [99, 99, 99], min: null }],
  ...more,
});

describe('the charts of two devices', () => {
  it('have a line of each on the same times', () => {
    const both = [metrics([0, 300, 600], [1, 2, 3]), metrics([300, 600, 900], [5, null, 7])] as const;
    const { times, charts } = comparedCharts(both, ['Greenhouse', 'Barn']);
    expect(times).toEqual([0, 300, 600, 900]);
    expect(charts).toHaveLength(1);
    expect(charts[0]?.series).toEqual([
      { name: 'Greenhouse', values: [1, 2, 3, null] },
      { name: 'Barn', values: [null, 5, null, 7] },
    ]);
  });

  it('name disks and interfaces beside their device', () => {
    const disk = { name: 'disk' as const, unit: 'bytes' as const, instance: '/', total: 200, max: null, min: null };
    const own = metrics([0], [1], { series: [{ ...disk, values: [50] }] });
    const { charts } = comparedCharts([own, metrics([0], [1], { series: [] })], ['Greenhouse', 'Barn']);
    expect(charts[0]?.series).toEqual([{ name: 'Greenhouse, /', values: [25] }]);
  });
});

function hub() {
  return new FakeHub()
    .on(/^\/api\/devices$/, () => ({ body: { total: 2, devices: [one, other] } }))
    .on(/^\/api\/devices\/d1$/, () => ({ body: { result: one } }))
    .on(/^\/api\/devices\/d2$/, () => ({ body: { result: other } }))
    .on(/^\/api\/accounts$/, () => ({ body: { total: 0, accounts: [] } }))
    .on(/\/metrics$/, () => ({ body: metrics([], [], { series: [] }) }));
}

const admin = person({ permissions: ['devices.manage', 'devices.label'], group: { id: 'g', role: 'SuperAdmin' } });

function open(address: string) {
  const inSession = (element: ReactNode) => <SessionContext value={admin}>{element}</SessionContext>;
  const routes = [
    { path: '/devices/:account_id', element: inSession(<DevicesPage />) },
    { path: '/devices/compare/:id', element: inSession(<ComparePage />) },
  ];
  return show(routes, address);
}

describe('comparing devices', () => {
  it('is offered for exactly two selected ones', async () => {
    hub();
    const router = open(`/devices/${ACCOUNT}`);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Greenhouse' }));
    expect(screen.queryByRole('link', { name: 'Compare' })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Barn' }));
    await userEvent.click(screen.getByRole('link', { name: 'Compare' }));
    const row = await screen.findByRole('row', { name: /Kernel/ });
    expect(router.state.location.pathname + router.state.location.search).toBe('/devices/compare/d1?with=d2');
    expect(within(row).getByText('Differs')).toBeInTheDocument();
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['6.6', '6.12']);
    expect(await screen.findByText('Neither device has a history in this time.')).toBeInTheDocument();
  });

  it('shows the differences alone', async () => {
    hub();
    open('/devices/compare/d1?with=d2');
    await screen.findByRole('row', { name: /^Model/ });
    await userEvent.click(screen.getByRole('switch', { name: 'Differences only' }));
    expect(screen.queryByRole('row', { name: /^Model/ })).not.toBeInTheDocument();
    expect(screen.getByText(/^2 facts differ/)).toHaveRole('status');
    expect(screen.getByRole('row', { name: /^Label canary/ })).toBeInTheDocument();
  });

  it('asks for the other device where the address has none', async () => {
    hub();
    const router = open('/devices/compare/d1');
    await userEvent.click(await screen.findByRole('combobox', { name: /Other device/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Barn (s2)' }));
    expect(await screen.findByRole('row', { name: /Kernel/ })).toBeInTheDocument();
    expect(router.state.location.search).toBe('?with=d2');
  });

  it('says so if there is no such device', async () => {
    hub().on(/^\/api\/devices\/d3$/, () => ({ status: 404, body: { error: 'not found' } }));
    open('/devices/compare/d1?with=d3');
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch device details');
  });
});
