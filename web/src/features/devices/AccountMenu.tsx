import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Link } from 'react-router';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { accountPages } from '../../ui/accountPages.ts';
import { inMain } from '../../ui/in-main.ts';

/** Links to the pages about an account as a whole; renders nothing without access to any. */
export function AccountMenu({ account }: { account: string }) {
  const pages = accountPages(useSession(), account);
  if (pages.length === 0) return null;
  return (
    <Menu position="bottom-end" shadow="md" {...inMain()}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-label={messages.devices.accountPages}
        >
          {messages.devices.account}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.map((page) => (
          <Menu.Item key={page.to} component={Link} to={page.to} leftSection={<page.icon size={16} aria-hidden />}>
            {page.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
