import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ALL } from '../../lib/access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Empty } from '../../ui/Empty.tsx';

interface NoDevicesProps {
  filter: string;
  onClear: () => void;
  account: string;
  onAdd: (() => void) | undefined;
}

export function NoDevices({ filter, onClear, account, onAdd }: NoDevicesProps) {
  const session = useSession();
  if (filter !== '') {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {messages.common.showAll}
      </Button>
    );
    return <Empty title={messages.devices.empty} text={messages.devices.emptySearch(filter)} action={clear} />;
  }
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
