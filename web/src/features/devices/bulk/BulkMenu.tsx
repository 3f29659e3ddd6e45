import { Button, Menu } from '@mantine/core';
import {
  IconBuilding,
  IconChevronDown,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconReload,
  IconTrash,
  IconWorldOff,
  IconWorldUp,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useRef } from 'react';
import { bulk as text } from '../../../lib/messages/bulk.ts';
import { inMain } from '../../../ui/in-main.ts';
import type { BulkAction } from './bulk-actions.ts';

const ICONS: Record<BulkAction, Icon> = {
  reboot: IconReload,
  update: IconRefresh,
  move: IconBuilding,
  delete: IconTrash,
  enable_console: IconPlugConnected,
  disable_console: IconPlugConnectedX,
  enable_web: IconWorldUp,
  disable_web: IconWorldOff,
};

interface BulkMenuProps {
  actions: readonly BulkAction[];
  count: number;
  onAction: (action: BulkAction) => void;
}

/** Chooses an action on the selected devices. */
export function BulkMenu({ actions, count, onAction }: BulkMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const item = (action: BulkAction) => {
    const ActionIcon = ICONS[action];
    return (
      <Menu.Item
        key={action}
        {...(action === 'delete' ? { c: 'var(--state-bad)' } : {})}
        leftSection={<ActionIcon size={16} aria-hidden />}
        onClick={() => {
          // The item goes away with the menu; the dialog returns the focus to the button.
          button.current?.focus();
          onAction(action);
        }}
      >
        {text.names[action]}
      </Menu.Item>
    );
  };
  return (
    <Menu position="bottom-end" width={220} shadow="md" {...inMain()}>
      <Menu.Target>
        <Button
          ref={button}
          size="compact-sm"
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={text.menu(count)}
        >
          {text.actions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{actions.map(item)}</Menu.Dropdown>
    </Menu>
  );
}
