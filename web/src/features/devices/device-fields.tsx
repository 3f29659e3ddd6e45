import type { Device } from '../../lib/api/types.ts';
import { bytes, percent } from '../../lib/format.ts';
import { messages } from '../../lib/messages.ts';
import { Copied } from '../../ui/Copied.tsx';
import { DeviceAddress, webUrl } from '../../ui/DeviceAddress.tsx';
import type { Field } from '../../ui/Fields.tsx';
import { Presence } from '../../ui/Presence.tsx';

const text = messages.details;

function Url({ device }: { device: Device }) {
  return (
    <Copied label={text.url} value={webUrl(device)}>
      <DeviceAddress device={device} />
    </Copied>
  );
}

/** What the details of a device show, in the order of the specification. */
export function detailFields(device: Device, withSince: true | 'always' = true): Field[] {
  return [
    { label: text.name, value: <Copied label={text.name} value={device.name} /> },
    {
      label: text.customName,
      value: <Copied label={text.customName} value={device.custom_name === device.name ? '' : device.custom_name} />,
    },
    { label: text.privateIp, value: <Copied label={text.privateIp} value={device.private_ip} />, mono: true },
    { label: text.publicIp, value: <Copied label={text.publicIp} value={device.public_ip} />, mono: true },
    { label: text.id, value: <Copied label={text.id} value={device.id} />, mono: true },
    { label: text.web, value: device.http_enable },
    { label: text.port, value: device.http_port, mono: true },
    { label: text.url, value: <Url device={device} /> },
    { label: text.cpus, value: device.cpu_cores, mono: true },
    { label: text.cpuUsage, value: percent(device.cpu_usage), mono: true },
    { label: text.totalRam, value: bytes(device.total_ram), mono: true },
    { label: text.usedRam, value: bytes(device.used_ram), mono: true },
    { label: text.totalDisk, value: bytes(device.total_disk), mono: true },
    { label: text.usedDisk, value: bytes(device.used_disk), mono: true },
    { label: text.status, value: <Presence device={device} withSince={withSince} /> },
  ];
}
