import { Anchor, Badge, Stack, Text } from '@mantine/core';
import type { Device } from '../../lib/api/types.ts';
import { mayManageDevices } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { WormholeSwitch } from './WormholeSwitch.tsx';

const text = messages.device;

/** Whether a website of the device is exposed, and where; those who may switch it here. */
export function WormholePanel({ device }: { device: Device }) {
  const session = useSession();
  const on = device.http_enable === 'Yes';
  return (
    <Stack gap="sm" align="flex-start">
      {mayManageDevices(session) ? (
        <WormholeSwitch device={device} />
      ) : (
        <Badge variant={on ? 'light' : 'default'} tt="none" radius="sm">
          {on ? text.wormholeOn : text.wormholeOff}
        </Badge>
      )}
      {on ? (
        <>
          <Anchor
            className="mono"
            href={`${window.location.protocol}//${device.http_address}`}
            target="_blank"
            rel="noreferrer"
            style={{ overflowWrap: 'anywhere' }}
          >
            {device.http_address}
          </Anchor>
          <Text c="dimmed">{text.wormholeText(device.http_port)}</Text>
        </>
      ) : (
        <Text c="dimmed">{text.wormholeOffText}</Text>
      )}
    </Stack>
  );
}
