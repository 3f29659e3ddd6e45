import { Button } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { Link } from 'react-router';
import { messages } from '../../lib/messages.ts';

/** The way to when an account's devices may be updated. */
export function WindowButton({ account }: { account: string }) {
  return (
    <Button
      component={Link}
      to={`/updates/${account}`}
      variant="default"
      leftSection={<IconCalendarTime size={16} aria-hidden />}
    >
      {messages.nav.window}
    </Button>
  );
}
