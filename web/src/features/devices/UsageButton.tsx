import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { messages } from '../../lib/messages.ts';

/** The way to what one's account has used; people of the operator go there by the account. */
export function UsageButton({ account }: { account: string }) {
  return (
    <Button
      component={Link}
      to={`/usage/${account}`}
      variant="default"
      leftSection={<IconChartBar size={16} aria-hidden />}
    >
      {messages.nav.usage}
    </Button>
  );
}
