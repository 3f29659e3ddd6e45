import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconDeviceDesktop, IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ALL } from '../../lib/access.ts';
import type { Device } from '../../lib/api/types.ts';
import { useClient } from '../../lib/client.ts';
import { desktop } from '../../lib/messages/desktop.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import classes from './DevicePage.module.css';

/** The shown part of a device. */
export type Session = 'ssh' | 'rdp';

const OTHER = {
  ssh: { session: 'rdp', label: desktop.open, icon: IconDeviceDesktop },
  rdp: { session: 'ssh', label: desktop.openConsole, icon: IconTerminal2 },
} as const;

interface DeviceLeadProps {
  device: Device;
  name: string;
  session: Session;
}

/** The device's name, the way back to the list, and the switch between shell and desktop. */
export function DeviceLead({ device, name, session: shown }: DeviceLeadProps) {
  const session = useSession();
  const { session: other, label, icon: Icon } = OTHER[shown];
  const [client] = useClient();
  const back = session.operator && client === ALL ? '/devices' : `/devices/${device.account.id}`;
  return (
    <div className={classes.lead}>
      <Tooltip label={messages.device.back}>
        <ActionIcon component={Link} to={back} variant="subtle" color="gray" aria-label={messages.device.back}>
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <Text component="h1" truncate fw={600} m={0} fz={14} className={classes.name}>
        {name}
      </Text>
      <Tooltip label={label}>
        <ActionIcon
          component={Link}
          to={`/device/${other}/${device.id}`}
          variant="subtle"
          color="gray"
          aria-label={label}
        >
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
