import { bytes, duration } from '../../lib/format.ts';
import { usage as text } from '../../lib/messages/usage.ts';
import { number } from '../../lib/numbers.ts';
import type { Used } from './usage.ts';
import classes from './Usage.module.css';

const dataOf = (kind: Used['terminal']) => text.data(bytes(kind.bytes_to_device + kind.bytes_from_device));

/** The usage of a month, by kind. @param seconds of the month that have passed */
export function Totals({ used, seconds }: { used: Used; seconds: number }) {
  const { terminal, desktop, web, devices } = used;
  const totals = [
    {
      label: text.terminal,
      value: duration(terminal.seconds),
      notes: [text.opened(number(terminal.opened)), dataOf(terminal)],
    },
    {
      label: text.desktop,
      value: duration(desktop.seconds),
      notes: [text.opened(number(desktop.opened)), dataOf(desktop)],
    },
    { label: text.web, value: number(web.opened), notes: [dataOf(web)] },
    {
      label: text.devices,
      value: number(seconds > 0 ? devices.seconds / seconds : 0),
      notes: [text.deviceHours(number(devices.seconds / 3_600))],
    },
  ];
  return (
    <dl className={classes.totals} aria-label={text.totals}>
      {totals.map(({ label, value, notes }) => (
        <div key={label} className={classes.total}>
          <dt>{label}</dt>
          <dd className={classes.value}>{value}</dd>
          {notes.map((note) => (
            <dd key={note} className={classes.note}>
              {note}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
