import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ALL } from '../../lib/access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Empty } from '../../ui/Empty.tsx';

interface NoDevicesProps {
  search: string | undefined;
  account: string;
  onAdd: (() => void) | undefined;
}

export function NoDevices({ search, account, onAdd }: NoDevicesProps) {
  const session = useSession();
  if (search) return <Empty title={messages.devices.empty} text={messages.devices.emptySearch(search)} />;
  const chooses = session.group?.role === 'SuperAdmin' && account === ALL;
  return (
    <Empty
      title={messages.devices.empty}
      {...(onAdd ? { text: messages.devices.emptyText } : {})}
      {...(chooses ? { text: messages.devices.emptyPickAccount } : {})}
      action={
        onAdd ? (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
            {messages.devices.add}
          </Button>
        ) : null
      }
    />
  );
}
