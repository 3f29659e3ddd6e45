import type { Device, DeviceMetrics } from '../../../lib/api/types.ts';
import { bytes, duration, percent, share, time } from '../../../lib/format.ts';
import { compare as text } from '../../../lib/messages/compare.ts';
import { devicePage } from '../../../lib/messages/device-page.ts';
import { nameOf } from '../../../lib/device-access.ts';
import { measuredFacts } from '../../../ui/machine-fields.tsx';
import { chartsOf, type MetricChart } from '../page/metric-charts.ts';

/** A fact of two devices, in words. */
export interface ComparedFact {
  id: string;
  label: string;
  values: readonly [string, string];
  /** Undefined for what differs between any two devices, or all the time. */
  differs: boolean | undefined;
}

type Fact = [id: keyof typeof text.facts, read: (device: Device) => string];

/** What should be alike on devices of one kind. */
const STABLE: readonly Fact[] = [
  ['account', ({ account }) => account.name],
  ['model', ({ model }) => model],
  ['os', ({ os }) => os],
  ['kernel', ({ kernel }) => kernel],
  ['agent', ({ agent_version: version }) => version],
  ['cores', ({ cpu_cores: cores }) => (cores ? String(cores) : '')],
  ['ram', ({ total_ram: total }) => (total ? bytes(total) : '')],
  ['disk', ({ total_disk: total }) => (total ? bytes(total) : '')],
  ['console', ({ ssh_enable: on }) => on],
  ['web', ({ http_enable: on, http_port: port }) => (on === 'Yes' ? `${on}, port ${port}` : on)],
];

const ALWAYS_DIFFERENT: readonly Fact[] = [
  ['cpu', ({ facts_at: at, cpu_usage: cpu }) => (at ? percent(cpu) : '')],
  ['usedRam', ({ used_ram: used, total_ram: total }) => usage(used, total)],
  ['usedDisk', ({ used_disk: used, total_disk: total }) => usage(used, total)],
  ['uptime', ({ facts_at: at, uptime }) => (at ? duration(uptime) : '')],
  ['privateIp', ({ private_ip: ip }) => ip],
  ['publicIp', ({ public_ip: ip }) => ip],
  ['added', ({ created }) => time(created)],
];

const usage = (used: number, total: number) => (total ? `${bytes(used)} (${percent(share(used, total))})` : '');

/** The facts of two devices beside each other: what can differ first, with their labels, then what always does. */
export function comparedFacts(one: Device, other: Device): ComparedFact[] {
  const row = (id: string, label: string, values: readonly [string, string], marks: boolean): ComparedFact => ({
    id,
    label,
    values: [values[0] || text.without, values[1] || text.without],
    differs: marks ? values[0] !== values[1] : undefined,
  });
  const rows = (facts: readonly Fact[], marks: boolean) =>
    facts.map(([id, read]) => row(id, text.facts[id], [read(one), read(other)], marks));
  const measured = (varies: boolean) =>
    measuredFacts
      .filter((fact) => fact.varies === varies)
      .map(({ label, read }) => row(label, label, [read(one), read(other)], !varies));
  const keys = [...new Set([...Object.keys(one.labels), ...Object.keys(other.labels)])].sort();
  const labels = keys.map((key) =>
    row(`label:${key}`, text.label(key), [labelOf(one, key), labelOf(other, key)], true),
  );
  return [...rows(STABLE, true), ...measured(false), ...labels, ...measured(true), ...rows(ALWAYS_DIFFERENT, false)];
}

/** A label without a value is there all the same. */
const labelOf = ({ labels }: Device, key: string) => (labels[key] === '' ? '✓' : (labels[key] ?? ''));

/** Distinct names of two devices. */
export function namesOf(one: Device, other: Device): [string, string] {
  const names: [string, string] = [nameOf(one), nameOf(other)];
  return names[0] === names[1] ? [`${names[0]} (${one.serial})`, `${names[1]} (${other.serial})`] : names;
}

/** Charts with a line of each device; without extremes, which would hide the other device's line. */
export function comparedCharts(
  metrics: readonly [DeviceMetrics, DeviceMetrics],
  names: readonly [string, string],
): { times: number[]; charts: MetricChart[] } {
  const times = [...new Set(metrics.flatMap((one) => one.times))].sort((a, b) => a - b);
  const both = metrics.map((one, index) =>
    chartsOf(one).map((chart) => ({
      ...chart,
      series: chart.series
        .filter(({ isExtreme }) => !isExtreme)
        .map(({ name, values }) => ({
          name: name === devicePage.average ? (names[index] ?? '') : text.onePart(names[index] ?? '', name),
          values: onTimes(values, one.times, times),
        })),
    })),
  );
  const titles = [...new Set(both.flat().map(({ title }) => title))];
  const charts = titles.flatMap((title) => {
    const same = both.flat().filter((chart) => chart.title === title);
    const [first] = same;
    return first ? [{ ...first, series: same.flatMap(({ series }) => series) }] : [];
  });
  return { times, charts };
}

function onTimes(values: readonly (number | null)[], own: readonly number[], times: readonly number[]) {
  const byTime = new Map(own.map((at, index) => [at, values[index] ?? null]));
  return times.map((at) => byTime.get(at) ?? null);
}
