import type { AccountUsage } from '../../lib/api/types.ts';

type Span = AccountUsage['usage'][number];

/** The usage of one day, or of all of them. */
export type Used = Omit<Span, 'start'>;
export interface Day extends Used {
  start: string;
}

const NOTHING = { seconds: 0, opened: 0, bytes_to_device: 0, bytes_from_device: 0 };
const UNUSED: Used = { terminal: NOTHING, desktop: NOTHING, web: NOTHING, devices: { seconds: 0, connections: 0 } };
const KINDS = ['terminal', 'desktop', 'web'] as const;

/** A row for each day, also for days without usage. */
export function withUnusedDays(days: readonly string[], usage: readonly Span[]): Day[] {
  const used = new Map(usage.map((span) => [span.start, span]));
  return days.map((start) => used.get(start) ?? { start, ...UNUSED });
}

export function totalOf(days: readonly Used[]): Used {
  const sum = (of: (day: Used) => number) => days.reduce((total, day) => total + of(day), 0);
  const kind = (name: (typeof KINDS)[number]) => ({
    seconds: sum((day) => day[name].seconds),
    opened: sum((day) => day[name].opened),
    bytes_to_device: sum((day) => day[name].bytes_to_device),
    bytes_from_device: sum((day) => day[name].bytes_from_device),
  });
  return {
    terminal: kind('terminal'),
    desktop: kind('desktop'),
    web: kind('web'),
    devices: { seconds: sum((day) => day.devices.seconds), connections: sum((day) => day.devices.connections) },
  };
}

const summed = (of: (kind: Used['terminal']) => number) => (day: Used) =>
  KINDS.reduce((total, name) => total + of(day[name]), 0);

export const bytesToDevices = summed(({ bytes_to_device: bytes }) => bytes);
export const bytesFromDevices = summed(({ bytes_from_device: bytes }) => bytes);
export const bytesOf = (day: Used): number => bytesToDevices(day) + bytesFromDevices(day);
/** Duration of terminals and desktops. Requests of web services overlap, so their duration means little. */
export const sessionSeconds = (day: Used): number => day.terminal.seconds + day.desktop.seconds;
