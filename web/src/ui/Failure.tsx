import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { messages } from '../lib/messages.ts';

/** Something could not be loaded: what, why, and a way to try again. */
export function Failure({ title, reason, retry }: { title: string; reason?: string; retry?: () => void }) {
  return (
    <Alert icon={<IconAlertTriangle size={18} />} color="red" variant="light" title={title} role="alert">
      <Group justify="space-between" gap="sm">
        <span>{reason}</span>
        {retry ? (
          <Button size="xs" variant="default" onClick={retry}>
            {messages.common.retry}
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
