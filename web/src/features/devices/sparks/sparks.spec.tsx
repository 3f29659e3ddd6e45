import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { MetricSeries } from '../../../lib/api/types.ts';
import { SessionContext } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { DevicesPage } from '../DevicesPage.tsx';
import { rangeOf, sparkPath, sparkValues } from './spark-values.ts';

const series = (fields: Partial<MetricSeries>): MetricSeries => ({
  name: 'cpu',
  unit: 'percent',
  instance: null,
  total: null,
  values: [],
  max: null,
  min: null,
  ...fields,
});

describe('the values of a column', () => {
  it('are percentages as they are, and bytes as parts of their total', () => {
    const both = [series({ values: [10, null, 30] }), series({ name: 'memory', total: 200, values: [50, null, 100] })];
    expect(sparkValues('cpuDay', both)).toEqual([10, null, 30]);
    expect(sparkValues('memoryDay', both)).toEqual([25, null, 50]);
    expect(sparkValues('diskDay', both)).toBeUndefined();
  });

  it('are those of the disk that is the fullest now', () => {
    const disk = (instance: string, values: (number | null)[]) =>
      series({ name: 'disk', instance, total: 100, values });
    const disks = [disk('/', [90, 40, null]), disk('/data', [10, 60, null]), disk('/gone', [null, null, null])];
    expect(sparkValues('diskDay', disks)).toEqual([10, 60, null]);
  });

  it('are none where nothing was measured', () => {
    expect(sparkValues('cpuDay', [series({ values: [null, null] })])).toBeUndefined();
  });
});

describe('the line', () => {
  const size = { width: 40, height: 20 };

  it('is drawn from 0 to 100, whatever the values are', () => {
    expect(sparkPath([0, 50, 100, 140, -3], size)).toBe('M0 20L10 10L20 0L30 0L40 20');
  });

  it('has gaps where values are missing, and a stroke for one alone', () => {
    expect(sparkPath([50, null, 50, 50, null], size)).toBe('M0 10h1M20 10L30 10');
  });

  it('is summed up by its last, least and greatest value', () => {
    expect(rangeOf([null, 12, 3, null, 40, null])).toEqual({ last: 40, least: 3, most: 40 });
  });
});

describe('the devices list', () => {
  const rows = [device(), device({ id: 'd2', serial: 's2', custom_name: 'Barn' })];
  const measured = [
    series({ values: [10, 20] }),
    series({ name: 'disk', instance: '/', total: 100, values: [70, 71] }),
  ];

  function open(columns: string) {
    const hub = new FakeHub()
      .on(/^\/api\/devices$/, () => ({ body: { total: 2, devices: rows } }))
      .on(/^\/api\/devices\/metrics\/sparklines$/, () => ({
        body: { step: 1_800, times: [0, 1_800], devices: [{ id: 'd1', series: measured }] },
      }));
    const element = (
      <SessionContext value={person()}>
        <DevicesPage />
      </SessionContext>
    );
    show([{ path: '/devices/:account_id', element }], `/devices/${ACCOUNT}?columns=${columns}`);
    return () => hub.asked.filter(({ pathname }) => pathname.endsWith('/sparklines'));
  }

  it('reads the last day of all its devices at once, for the columns that show it', async () => {
    const asked = open('cpuDay,diskDay');
    expect(await screen.findByRole('img', { name: 'CPU, 24 h: last 20 %, from 10 % to 20 %' })).toBeInTheDocument();
    expect(screen.getByRole('img', { name: /^Fullest disk, 24 h: last 71 %/ })).toBeInTheDocument();
    expect(asked().map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { ids: 'd1,d2', series: 'cpu,disk' },
    ]);
    const other = screen.getByRole('row', { name: /Barn/ });
    expect(within(other).queryByRole('img')).not.toBeInTheDocument();
  });

  it('asks for nothing without such a column', async () => {
    const asked = open('os');
    await screen.findByRole('row', { name: /Barn/ });
    expect(asked()).toEqual([]);
  });
});
