import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useRef } from 'react';
import { messages } from '../lib/messages.ts';
import { inMain } from './in-main.ts';
import classes from './RowMenu.module.css';

export interface RowAction {
  label: string;
  icon: Icon;
  danger?: boolean;
  act: () => void;
}

/** The menu of a row's actions; renders nothing without actions. */
export function RowMenu({ name, actions }: { name: string; actions: RowAction[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const choose = (action: RowAction) => {
    // The item disappears with the menu; a dialog returns the focus to the button.
    button.current?.focus();
    action.act();
  };
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" width={190} shadow="md" {...inMain()}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={30} aria-label={messages.forms.actionsFor(name)}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            leftSection={<action.icon size={16} aria-hidden />}
            onClick={() => choose(action)}
            {...(action.danger ? { c: 'var(--state-bad)', className: classes.danger } : {})}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
