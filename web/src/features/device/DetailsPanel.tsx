import { Stack, Text } from '@mantine/core';
import type { Device } from '../../lib/api/types.ts';
import { ago, bytes, duration, share } from '../../lib/format.ts';
import { mayOn, mayUpdate } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { heat } from '../../lib/messages/heat.ts';
import { useSession } from '../../lib/session.ts';
import { Cloned } from '../../ui/Cloned.tsx';
import { Copied } from '../../ui/Copied.tsx';
import { Fields } from '../../ui/Fields.tsx';
import type { Field } from '../../ui/Fields.tsx';
import { PresenceStrip } from '../../ui/PresenceStrip.tsx';
import { UsageBar } from '../../ui/UsageBar.tsx';
import { useNow } from '../../ui/useNow.ts';
import { AvailableUpdate } from './AvailableUpdate.tsx';
import { Machines } from './Machines.tsx';
import { NewHardware } from './NewHardware.tsx';
import { Reboot } from './Reboot.tsx';
import { Replaces } from './Replaces.tsx';
import { RoundTrip } from './RoundTrip.tsx';

const text = messages.device;
const NOW_MS = 10_000;

/** The device's last reported facts. */
export function DetailsPanel({ device }: { device: Device }) {
  const session = useSession();
  const now = useNow(NOW_MS);
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>{device.custom_name || device.name}</Text>
        <Text className="mono" fz={12} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Copied label={text.id} value={device.id} />
        </Text>
      </div>
      <Cloned device={device} />
      <Machines device={device} />
      <Replaces device={device} />
      <NewHardware device={device} />
      {device.status === 'Connected' ? <RoundTrip id={device.id} /> : null}
      {mayOn(device, 'manage') ? <Reboot device={device} /> : null}
      <PresenceStrip id={device.id} />
      {device.facts_at ? (
        <>
          <UsageBar
            label={text.disk}
            percent={share(device.used_disk, device.total_disk)}
            detail={text.ofTotal(bytes(device.used_disk), bytes(device.total_disk))}
          />
          <UsageBar label={text.memory} percent={share(device.used_ram, device.total_ram)} />
          <UsageBar label={text.cpuUsage} percent={device.cpu_usage} />
          <Fields fields={facts(device)} />
          {mayUpdate(session) ? <AvailableUpdate version={device.agent_version} /> : null}
          <Text size="xs" c="dimmed">
            {text.factsAt(ago(device.facts_at, now))}
          </Text>
        </>
      ) : (
        <Text c="dimmed">{text.noFacts}</Text>
      )}
    </Stack>
  );
}

function facts(device: Device): Field[] {
  return [
    { label: text.totalCpu, value: device.cpu_cores, mono: true },
    { label: text.totalRam, value: bytes(device.total_ram), mono: true },
    { label: text.usedRam, value: bytes(device.used_ram), mono: true },
    { label: text.privateIp, value: <Copied label={text.privateIp} value={device.private_ip} />, mono: true },
    { label: text.publicIp, value: <Copied label={text.publicIp} value={device.public_ip} />, mono: true },
    { label: text.model, value: device.model || '–' },
    { label: text.system, value: device.os || '–' },
    { label: text.kernel, value: device.kernel || '–', mono: true },
    { label: text.uptime, value: duration(device.uptime) },
    ...warmth(device),
    { label: text.agent, value: device.agent_version || '–', mono: true },
    { label: text.serial, value: <Copied label={text.serial} value={device.serial} />, mono: true },
  ];
}

/** Renders nothing for a device that does not measure it. */
function warmth({ temperature, throttling }: Device): Field[] {
  return [
    ...(temperature === null ? [] : [{ label: heat.temperature, value: heat.degrees(temperature), mono: true }]),
    ...(throttling === null ? [] : [{ label: heat.throttling, value: slowed(throttling) }]),
  ];
}

function slowed({ now, since_start: ever }: NonNullable<Device['throttling']>): string {
  const named = (limits: typeof now) => limits.map((limit) => heat.limits[limit]).join(', ');
  const earlier = ever.filter((limit) => !now.includes(limit));
  const parts = [now.length > 0 ? heat.now(named(now)) : '', earlier.length > 0 ? heat.earlier(named(earlier)) : ''];
  return parts.filter(Boolean).join('; ') || heat.never;
}
