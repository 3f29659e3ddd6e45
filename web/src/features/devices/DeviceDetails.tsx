import { Skeleton, Stack, Text } from '@mantine/core';
import { api } from '../../lib/api/api.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import type { Device } from '../../lib/api/types.ts';
import { bytes, percent } from '../../lib/format.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { Copied } from '../../ui/Copied.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { ModalFrame } from '../../ui/ModalFrame.tsx';
import { Fields } from '../../ui/Fields.tsx';
import type { Field } from '../../ui/Fields.tsx';
import { DeviceAddress, webUrl } from '../../ui/DeviceAddress.tsx';
import { Cloned } from '../../ui/Cloned.tsx';
import { LabelEditor } from '../../ui/LabelEditor.tsx';
import { PresenceStrip } from '../../ui/PresenceStrip.tsx';
import { Presence } from '../../ui/Presence.tsx';

const text = messages.details;

/** The Device Details modal, open while there is an id. */
export function DeviceDetails({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <ModalFrame focusTitle opened={id !== null} onClose={onClose} title={text.title} size={520}>
      {id ? <Details id={id} /> : null}
    </ModalFrame>
  );
}

function Details({ id }: { id: string }) {
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  if (isRefusal(error)) {
    return (
      <div role="alert">
        <Empty title={text.failed} text={deviceActions.gone} />
      </div>
    );
  }
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  if (currentData)
    return (
      <Stack>
        <Cloned device={currentData.result} />
        <Fields fields={fields(currentData.result)} />
        <LabelEditor device={currentData.result} />
        <PresenceStrip id={id} />
      </Stack>
    );
  return (
    <Stack gap={18} mih={480}>
      <Text c="dimmed" role="status">
        {text.loading}
      </Text>
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} height={12} width={`${50 + ((index * 13) % 45)}%`} />
      ))}
    </Stack>
  );
}

function Url({ device }: { device: Device }) {
  return (
    <Copied label={text.url} value={webUrl(device)}>
      <DeviceAddress device={device} />
    </Copied>
  );
}

function fields(device: Device): Field[] {
  return [
    { label: text.name, value: device.name },
    { label: text.customName, value: device.custom_name === device.name ? '–' : device.custom_name || '–' },
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
    { label: text.status, value: <Presence device={device} withSince /> },
  ];
}
