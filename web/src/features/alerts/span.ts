import { number } from '../../lib/numbers.ts';

export const UNITS = ['minutes', 'hours', 'days'] as const;
export type Unit = (typeof UNITS)[number];

const MINUTES: Record<Unit, number> = { minutes: 1, hours: 60, days: 1_440 };
const SINGULAR: Record<Unit, string> = { minutes: 'minute', hours: 'hour', days: 'day' };

export interface Span {
  amount: number;
  unit: Unit;
}

/** Minutes in the largest unit that they are a whole number of. */
export function spanOf(minutes: number): Span {
  const unit = UNITS.findLast((one) => minutes > 0 && minutes % MINUTES[one] === 0) ?? 'minutes';
  return { amount: minutes / MINUTES[unit], unit };
}

export const minutesOf = ({ amount, unit }: Span): number => amount * MINUTES[unit];

/** `10 minutes`, `1 day`. */
export function spanText(minutes: number): string {
  const { amount, unit } = spanOf(minutes);
  return `${number(amount)} ${amount === 1 ? SINGULAR[unit] : unit}`;
}

export const daysText = (days: number): string => spanText(days * MINUTES.days);
