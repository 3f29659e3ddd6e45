import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ALL } from '../../lib/access.ts';
import type { Device } from '../../lib/api/types.ts';
import { useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import classes from './DevicePage.module.css';

/** Which device this is, and the way back to the list. */
export function DeviceLead({ device, name }: { device: Device; name: string }) {
  const session = useSession();
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
    </div>
  );
}
