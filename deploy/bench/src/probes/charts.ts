import { until } from '@warren/infra/until';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hub } from '../hub.ts';

const CHARTS = 200;
const WARM_UP = 10;
const YEAR_S = 366 * 86_400;
const ROUND_MS = 180_000;
const LOOK_EVERY_MS = 50;

/** Waits until fleet, which begins once a minute, sums up the history. @param left how many partitions wait for it */
export async function roundBegun(left: () => Promise<number>): Promise<void> {
  const first = await left();
  await until(async () => (await left()) < first, ROUND_MS);
}

/** Waits until none is left. @param meanwhile runs between looks */
export async function roundEnded(
  left: () => Promise<number>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const deadline = Date.now() + ROUND_MS;
  for (; (await left()) > 0; await sleep(LOOK_EVERY_MS)) {
    if (Date.now() > deadline) throw new Error(`Fleet has not summed the history up in ${ROUND_MS / 1_000} s.`);
    await meanwhile();
  }
}

/** Measures charts of a year over REST, each of another device. @returns milliseconds */
export async function yearCharts(hub: Hub, ids: readonly string[], now: Date): Promise<number[]> {
  const to = Math.floor(now.getTime() / 1_000);
  const times: number[] = [];
  for (let call = -WARM_UP; call < CHARTS; call++) {
    const id = ids.at(((call + WARM_UP) * 7) % ids.length) ?? '';
    const begun = performance.now();
    const chart = await hub.get<{ series: unknown[] }>(`/api/devices/${id}/metrics?from=${to - YEAR_S}&to=${to}`);
    if (chart.series.length === 0) throw new Error(`The chart of device ${id} is empty.`);
    if (call >= 0) times.push(performance.now() - begun);
  }
  return times;
}
