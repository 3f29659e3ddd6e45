import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { messages } from '../lib/messages.ts';
import { inMain } from './in-main.ts';
import classes from './RowMenu.module.css';

export type RowAction = {
  label: string;
  icon: Icon;
  danger?: boolean;
  /** Why it can't be done now; undefined if it can. */
  unavailable?: string | undefined;
} & (
  | { act: () => void }
  // A link, so that it opens in a new tab too.
  | { to: string }
);

/** The menu of a row's actions; renders nothing without actions. */
export function RowMenu({ name, actions }: { name: string; actions: RowAction[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const choose = (act: () => void) => {
    // The item disappears with the menu; a dialog returns the focus to the button.
    button.current?.focus();
    act();
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
          <ActionItem key={action.label} action={action} choose={choose} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** An action in a menu. One that can't be done now says why, and keeps the menu open. */
export function ActionItem({ action, choose }: { action: RowAction; choose: (act: () => void) => void }) {
  const item = {
    leftSection: <action.icon size={16} aria-hidden />,
    children: action.label,
    ...(action.danger ? { c: 'var(--state-bad)', className: classes.danger } : {}),
  };
  if (action.unavailable !== undefined) {
    return (
      <Menu.Item {...item} c="dimmed" aria-disabled closeMenuOnClick={false}>
        {action.label}
        <span className={classes.reason}>{action.unavailable}</span>
      </Menu.Item>
    );
  }
  if ('to' in action) return <Menu.Item {...item} component={Link} to={action.to} />;
  return <Menu.Item {...item} onClick={() => choose(action.act)} />;
}
