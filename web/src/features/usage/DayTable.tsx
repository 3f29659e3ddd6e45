import { bytes, duration } from '../../lib/format.ts';
import { usage as text } from '../../lib/messages/usage.ts';
import { number } from '../../lib/numbers.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { dayLabel } from './month.ts';
import { bytesFromDevices, bytesToDevices, type Day } from './usage.ts';

const right = { align: 'right' } as const;

const columns: Column<Day>[] = [
  { id: 'day', label: text.day, width: 116, render: ({ start }) => dayLabel(start) },
  { id: 'terminal', label: text.terminal, ...right, render: ({ terminal }) => duration(terminal.seconds) },
  { id: 'desktop', label: text.desktop, ...right, wideOnly: true, render: ({ desktop }) => duration(desktop.seconds) },
  { id: 'web', label: text.web, ...right, wideOnly: true, render: ({ web }) => number(web.opened) },
  { id: 'to', label: text.toDevices, ...right, wideOnly: true, render: (day) => bytes(bytesToDevices(day)) },
  { id: 'from', label: text.fromDevices, ...right, render: (day) => bytes(bytesFromDevices(day)) },
  {
    id: 'devices',
    label: text.deviceHoursHead,
    ...right,
    wideOnly: true,
    render: ({ devices }) => number(devices.seconds / 3_600),
  },
];

/** A row for each day, the newest first. */
export function DayTable({ days }: { days: Day[] | undefined }) {
  return (
    <DataTable
      label={text.days}
      columns={columns}
      rows={days?.toReversed()}
      rowKey={({ start }) => start}
      state={{ sort: '', order: 'asc' }}
      onSort={() => {}}
      empty={text.nothing}
    />
  );
}
