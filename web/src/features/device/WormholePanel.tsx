import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Device } from '../../lib/api/types.ts';
import { isWebOpen, mayManageDevices } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { DeviceAddress, useDevicePages, webPath } from '../../ui/DeviceAddress.tsx';
import { WormholeSwitch } from './WormholeSwitch.tsx';

const text = messages.device;

/** Shows whether a web service of the device is exposed, and where; people with permission may switch it here. */
export function WormholePanel({ device }: { device: Device }) {
  const session = useSession();
  const served = useDevicePages();
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
          <DeviceAddress device={device} />
          {served && isWebOpen(device) ? (
            <Anchor component={Link} to={webPath(device)} size="sm">
              {text.wormholeOpen}
            </Anchor>
          ) : null}
          <Text c="dimmed">
            {served === false ? text.wormholeUnserved : text.wormholeText(hostOf(device), device.http_port)}
          </Text>
        </>
      ) : (
        <Text c="dimmed">{text.wormholeOffText}</Text>
      )}
    </Stack>
  );
}

/** The device's own name for the host of its web service. */
const hostOf = ({ http_ip: ip }: Device) => (/^127\.|^::1$/.test(ip) ? 'localhost' : ip);
