import { ActionIcon } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { bulk as text } from '../../../lib/messages/bulk.ts';

/** Leads to the bulk jobs, and what became of them. */
export function JobsButton() {
  return (
    <ActionIcon component={Link} to="/jobs" variant="default" size={36} aria-label={text.jobs} title={text.jobs}>
      <IconListCheck size={16} aria-hidden />
    </ActionIcon>
  );
}
