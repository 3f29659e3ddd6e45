import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ALL } from '../../lib/access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { ClearSearch } from '../../ui/ClearSearch.tsx';
import { Empty } from '../../ui/Empty.tsx';
import type { ListControl } from '../../ui/useListState.ts';

interface NoDevicesProps {
  search: string | undefined;
  list: ListControl;
  account: string;
  onAdd: (() => void) | undefined;
}

export function NoDevices({ search, list, account, onAdd }: NoDevicesProps) {
  const session = useSession();
  if (search) {
    const text = messages.devices.emptySearch(search);
    return <Empty title={messages.devices.empty} text={text} action={<ClearSearch list={list} />} />;
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
