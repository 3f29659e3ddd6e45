import { Button } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { Link } from 'react-router';
import { messages } from '../../lib/messages.ts';

/** The way to what an account may have. */
export function LimitsButton({ account }: { account: string }) {
  return (
    <Button
      component={Link}
      to={`/limits/${account}`}
      variant="default"
      leftSection={<IconGauge size={16} aria-hidden />}
    >
      {messages.nav.limits}
    </Button>
  );
}
