import { Menu, Text, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import { IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { Link } from 'react-router';
import { forgetClient } from '../../lib/client.ts';
import { LOGOUT_PATH } from '../../lib/hub-paths.ts';
import { messages } from '../../lib/messages.ts';
import { areRowsCompact, chooseRows } from '../../lib/rows.ts';
import { shortcuts } from '../../lib/messages/shortcuts.ts';
import { useSession } from '../../lib/session.ts';
import { showShortcuts } from '../shortcuts/wanted.ts';
import classes from './UserMenu.module.css';

/** The open menu of the user; `children` is its button. */
export function UserMenuItems({ children }: { children: ReactElement }) {
  const session = useSession();
  const name = session.name || session.email;
  const root = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  // Opened only once its button has the focus, so that the focus returns to it.
  useEffect(() => {
    root.current?.querySelector('button')?.focus();
    setOpened(true);
  }, []);
  return (
    // Beside its button, so that it belongs to the banner as the button does.
    <div ref={root}>
      <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260} shadow="md" withinPortal={false}>
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          <div className={classes.who}>
            {/* A menu may not have paragraphs in it. */}
            <Text component="div" fw={600} truncate>
              {name}
            </Text>
            <Text component="div" size="xs" c="dimmed" truncate>
              {session.email}
            </Text>
            <Text component="div" size="xs" c="dimmed" truncate>
              {session.group?.role} · {session.account_name}
            </Text>
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconUserCircle size={16} />} component={Link} to="/profile">
            {messages.user.editProfile}
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={showShortcuts}>
            {shortcuts.title}
          </Menu.Item>
          <Menu.Divider />
          <SchemeChoice />
          <Menu.Divider />
          <RowsChoice />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} />} component="a" href={LOGOUT_PATH} onClick={forgetClient}>
            {messages.user.logout}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** The density of tables. */
function RowsChoice() {
  const [compact, setCompact] = useState(areRowsCompact);
  const choose = (wanted: boolean) => {
    chooseRows(wanted);
    setCompact(wanted);
  };
  return (
    <Menu.CheckboxItem checked={compact} onChange={choose}>
      {messages.user.compact}
    </Menu.CheckboxItem>
  );
}

const schemes = ['light', 'dark', 'auto'] as const;

function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup
      aria-label={messages.user.scheme}
      value={colorScheme}
      onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
    >
      <Menu.Label aria-hidden>{messages.user.scheme}</Menu.Label>
      {schemes.map((scheme) => (
        <Menu.RadioItem key={scheme} value={scheme}>
          {messages.user[scheme]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
