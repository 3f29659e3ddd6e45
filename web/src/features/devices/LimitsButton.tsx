import { ActionIcon } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { Link } from 'react-router';
import { messages } from '../../lib/messages.ts';
import { hint } from '../../ui/hint.ts';

/** The way to what an account may have. */
export function LimitsButton({ account }: { account: string }) {
  return (
    <ActionIcon
      {...hint(messages.nav.limits, 'below')}
      component={Link}
      to={`/limits/${account}`}
      variant="default"
      size={36}
      aria-label={messages.nav.limits}
    >
      <IconGauge size={18} aria-hidden />
    </ActionIcon>
  );
}
