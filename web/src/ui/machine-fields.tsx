import type { Device } from '../lib/api/types.ts';
import { duration, percent } from '../lib/format.ts';
import { heat } from '../lib/messages/heat.ts';
import { machine } from '../lib/messages/machine.ts';
import { messages } from '../lib/messages.ts';
import { decimal } from '../lib/numbers.ts';
import { Copied } from './Copied.tsx';
import type { Field } from './Fields.tsx';

const text = messages.device;

interface MeasuredFact {
  label: string;
  mono: boolean;
  /** It changes all the time. */
  varies: boolean;
  /** In words; empty for a device that does not report it. */
  read: (device: Device) => string;
}

/** What a device measures of itself. */
export const measuredFacts: readonly MeasuredFact[] = [
  {
    label: machine.fullestDisk,
    mono: false,
    varies: true,
    read: ({ fullest_disk: mount, fullest_disk_usage: usage }) =>
      mount === null ? '' : machine.onMount(mount, percent(usage)),
  },
  { label: machine.load, mono: true, varies: true, read: ({ load }) => (load === null ? '' : decimal(load)) },
  {
    label: machine.clock,
    mono: false,
    varies: false,
    read: ({ clock_offset: offset }) => (offset === null ? '' : clock(offset)),
  },
  {
    label: heat.temperature,
    mono: true,
    varies: true,
    read: ({ temperature }) => (temperature === null ? '' : heat.degrees(temperature)),
  },
  {
    label: heat.throttling,
    mono: false,
    varies: false,
    read: ({ throttling }) => (throttling === null ? '' : slowed(throttling)),
  },
];

/** What a device reports of its machine and system. */
export function machineFields(device: Device): Field[] {
  return [
    { label: text.model, value: <Copied label={text.model} value={device.model} /> },
    { label: text.system, value: <Copied label={text.system} value={device.os} /> },
    { label: text.kernel, value: <Copied label={text.kernel} value={device.kernel} />, mono: true },
    { label: text.uptime, value: duration(device.uptime) },
    ...measuredFacts.flatMap(({ label, mono, read }) => {
      const value = read(device);
      return value === '' ? [] : [{ label, value, mono }];
    }),
    { label: text.agent, value: <Copied label={text.agent} value={device.agent_version} />, mono: true },
    { label: text.serial, value: <Copied label={text.serial} value={device.serial} />, mono: true },
  ];
}

/** A clock that is so far off is in sync: it is compared with a report that took its way. */
const IN_SYNC_S = 5;

function clock(offset: number): string {
  if (Math.abs(offset) < IN_SYNC_S) return machine.inSync;
  return offset > 0 ? machine.ahead(duration(offset)) : machine.behind(duration(-offset));
}

function slowed({ now, since_start: ever }: NonNullable<Device['throttling']>): string {
  const named = (limits: typeof now) => limits.map((limit) => heat.limits[limit]).join(', ');
  const earlier = ever.filter((limit) => !now.includes(limit));
  const parts = [now.length > 0 ? heat.now(named(now)) : '', earlier.length > 0 ? heat.earlier(named(earlier)) : ''];
  return parts.filter(Boolean).join('; ') || heat.never;
}
