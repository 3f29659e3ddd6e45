import type { Report } from '../lab.ts';

/** What each process used during some work. */
export interface Work {
  seconds: number;
  processes: { name: string; cpuS: number; residentBytes: number }[];
}

/** Work that summed spans up: hours or days, of so many devices each. */
interface SummedUp {
  work: Work;
  spans: number;
  devices: number;
}

export interface Measured {
  agents: number;
  storing: { work: Work; reports: number; bytes: number };
  /** Hours of samples, and days of points. */
  hourly: SummedUp;
  daily: SummedUp;
  /** On disk, of a chunk. */
  bytes: { samples: number; fiveMinutes: number; hours: number };
  charts: { devices: number; p50: number; p95: number };
}

const MB = 1_000_000;
const KB = 1_000;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Seconds between two reports of a device. */
const REPORT_S = 120;
/** Targets of the design. */
const MOST_SHARE = 20;
const MOST_BYTES = 2 * MB;
const MOST_CHART_MS = 200;
/** The hours of reports, the hours of samples, the days and the months that are kept. */
const KEPT = { incoming: 2, samples: 72, fiveMinutes: 31, hours: 14 };
const DAYS_OF_MONTH = 30.4;

/** Percent of a core that a process needs for a fleet to be summed up, each hour or day in its time. */
function share({ work, spans, devices }: SummedUp, name: string, agents: number, seconds: number): number {
  const cpuS = work.processes.find((one) => one.name === name)?.cpuS ?? 0;
  return spans > 0 ? ((cpuS / (spans * devices)) * agents * 100) / seconds : Number.NaN;
}

function processes({ agents, storing, hourly, daily }: Measured): Report {
  const rows = storing.work.processes.map(({ name, cpuS, residentBytes }) => {
    const parts = [
      (cpuS * 100) / storing.work.seconds,
      // What others do meanwhile has nothing to do with the history.
      ...(name === 'fleet' || name === 'postgres'
        ? [share(hourly, name, agents, HOUR_S), share(daily, name, agents, DAY_S)]
        : [undefined, undefined]),
    ];
    return { name, values: [...parts, parts.reduce<number>((sum, part) => sum + (part ?? 0), 0), residentBytes / MB] };
  });
  const fleet = rows.find(({ name }) => name === 'fleet')?.values[3] ?? Number.NaN;
  const due = Math.round((agents * storing.work.seconds) / REPORT_S);
  return {
    title: `Metrics of ${agents} devices, a sample a minute: processor time in percent of one core`,
    notes: [
      `Fleet takes ${fleet.toFixed(1)} % of a core; ${fleet < MOST_SHARE ? 'under' : 'over'} ${MOST_SHARE} %.`,
      `Storing is measured in real time for ${storing.work.seconds.toFixed(0)} s, from the agents over tunnels and NATS: ${storing.reports} reports of two samples came, ${due} were due. It includes links, heartbeats and facts of an idle fleet.`,
      `Summing up is that of ${hourly.devices} devices, ${hourly.spans} hours and ${daily.spans} days at once, as a share of the time that they stand for. Their pages are cached, which favours PostgreSQL; constant vacuums do the opposite.`,
      'Simulated values change more from minute to minute than those of devices.',
    ],
    head: ['storing', 'hours', 'days', 'sum', 'resident, MB'],
    rows,
    ratio: false,
  };
}

function sizes({ storing, bytes }: Measured): Report {
  const report = storing.reports > 0 ? storing.bytes / storing.reports : Number.NaN;
  const rows = [
    { name: 'incoming', values: [report, (KEPT.incoming * HOUR_S) / REPORT_S] },
    { name: 'samples', values: [bytes.samples, KEPT.samples] },
    { name: 'five_minutes', values: [bytes.fiveMinutes, KEPT.fiveMinutes] },
    { name: 'hours', values: [bytes.hours, KEPT.hours] },
  ].map(({ name, values: [each = 0, kept = 0] }) => ({ name, values: [each / KB, kept, (each * kept) / KB] }));
  const all = rows.reduce((sum, { values }) => sum + (values[2] ?? 0), 0);
  const daily = (bytes.fiveMinutes + bytes.hours / DAYS_OF_MONTH) / KB;
  const firstDays = (24 * bytes.samples) / KB + daily;
  const later = bytes.hours / DAYS_OF_MONTH / KB;
  const target = `${all * KB <= MOST_BYTES ? 'within' : 'over'} ${MOST_BYTES / MB} MB`;
  return {
    title: 'Disk space of a device, with indexes',
    notes: [
      `${(all / KB).toFixed(2)} MB after 13 months, ${target}.`,
      `A device grows by ${firstDays.toFixed(0)} KB a day for three days, ${daily.toFixed(0)} KB for a month, then ${later.toFixed(1)} KB a day.`,
      'Chunks were rewritten as often as in reality, each hour or day, with vacuums between.',
    ],
    head: ['a row, KB', 'rows', 'all, KB'],
    rows: [...rows, { name: 'sum', values: [undefined, undefined, all] }],
    ratio: false,
  };
}

/** Makes the tables of the bench of metrics. */
export function tables(measured: Measured): Report[] {
  const { devices, p50, p95 } = measured.charts;
  return [
    processes(measured),
    sizes(measured),
    {
      title: 'A chart of a year with all metrics, over REST',
      notes: [
        `p95 is ${p95 < MOST_CHART_MS ? 'under' : 'over'} ${MOST_CHART_MS} ms.`,
        `The database has a year of ${devices} devices, all written just now: what a full one would read from disk comes from memory here.`,
      ],
      head: ['p50, ms', 'p95, ms'],
      rows: [{ name: 'year', values: [p50, p95] }],
      ratio: false,
    },
  ];
}
