import { audit as text } from '../../lib/messages/audit.ts';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const keyOf = (date: Date) => `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;

/** Events of one day in the reader's time zone. */
export interface Day<Event> {
  key: string;
  label: string;
  events: Event[];
}

/**
 * Groups events by day, in their order.
 * @param now milliseconds since 1970
 */
export function daysOf<Event extends { time: string }>(events: readonly Event[], now: number): Day<Event>[] {
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  const names = new Map([
    [keyOf(yesterday), text.yesterday],
    [keyOf(today), text.today],
  ]);
  const days: Day<Event>[] = [];
  for (const event of events) {
    const date = new Date(event.time);
    const key = keyOf(date);
    const last = days.at(-1);
    if (last?.key === key) last.events.push(event);
    else days.push({ key, label: names.get(key) ?? full.format(date), events: [event] });
  }
  return days;
}
