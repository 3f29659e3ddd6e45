import { Stack, Text } from '@mantine/core';
import type { Device } from '../../lib/api/types.ts';
import { ago, bytes, share } from '../../lib/format.ts';
import { mayOn, mayUpdate } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Cloned } from '../../ui/Cloned.tsx';
import { Copied } from '../../ui/Copied.tsx';
import { Fields } from '../../ui/Fields.tsx';
import type { Field } from '../../ui/Fields.tsx';
import { machineFields } from '../../ui/machine-fields.tsx';
import { PresenceStrip } from '../../ui/PresenceStrip.tsx';
import { Reboot } from '../../ui/Reboot.tsx';
import { UsageBar } from '../../ui/UsageBar.tsx';
import { useNow } from '../../ui/useNow.ts';
import { AvailableUpdate } from './AvailableUpdate.tsx';
import { Machines } from './Machines.tsx';
import { NewHardware } from './NewHardware.tsx';
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
    ...machineFields(device),
  ];
}
