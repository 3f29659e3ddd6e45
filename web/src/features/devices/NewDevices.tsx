import { Button, Group, Loader, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { changes } from '../../lib/api/changes.ts';
import { uuidTime } from '../../lib/format.ts';
import { messages } from '../../lib/messages.ts';
import { Presence } from '../../ui/Presence.tsx';
import classes from './NewDevices.module.css';

const text = messages.addDevice;
/** Enough to see that it works; the list behind the dialog shows all of them. */
const SHOWN = 5;
/** The hub's clock is known to about two seconds. */
const CLOCK_MS = 2_500;

/** Ids of devices that have enrolled into the account since a moment (ms): a device's id contains its creation time. */
function useEnrolled(account: string, since: number): string[] {
  const [ids, setIds] = useState<string[]>([]);
  useEffect(
    () =>
      changes.subscribe((change) => {
        if (change.kind !== 'device' || change.account !== account) return;
        if (!(uuidTime(change.id) >= since - CLOCK_MS)) return;
        setIds((known) => (known.includes(change.id) ? known : [change.id, ...known].slice(0, SHOWN)));
      }),
    [account, since],
  );
  return ids;
}

/** Shows devices as they enrol. */
export function NewDevices({ account, since }: { account: string; since: number }) {
  const ids = useEnrolled(account, since);
  return (
    <div className={classes.root} aria-live="polite">
      {ids.length === 0 ? (
        <Group gap="sm" wrap="nowrap">
          <Loader size={18} />
          <Text c="dimmed">{text.waiting}</Text>
        </Group>
      ) : (
        ids.map((id) => <NewDevice key={id} id={id} />)
      )}
    </div>
  );
}

function NewDevice({ id }: { id: string }) {
  const { data } = api.useGetDeviceQuery({ id });
  if (!data) return null;
  const device = data.result;
  const name = device.custom_name || device.name;
  return (
    <div className={classes.device}>
      <div>
        <Text fw={600}>{text.enrolled(name)}</Text>
        <Presence device={device} />
      </div>
      {device.status === 'Connected' && device.ssh_enable === 'Yes' ? (
        <Button
          component={Link}
          to={`/device/ssh/${id}`}
          size="xs"
          leftSection={<IconTerminal2 size={15} aria-hidden />}
        >
          {text.openConsole}
        </Button>
      ) : null}
    </div>
  );
}
