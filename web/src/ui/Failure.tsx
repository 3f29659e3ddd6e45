import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { errorText, statusOf } from '../lib/api/errors.ts';
import { messages } from '../lib/messages.ts';

const RETRY_MS = 3_000;

/** Whether what failed may well work soon: no answer came, or the hub or something behind it was down. */
const passes = (error: unknown) => error !== undefined && (statusOf(error) ?? 503) >= 500;

interface FailureProps {
  title: string;
  /** What a call came to. */
  error?: unknown;
  /** Why, where it was no call that failed. */
  reason?: string;
  retry: () => unknown;
  /** Tries again by itself while the reason may pass; not for what changes something. */
  recover?: boolean;
}

/** Something could not be loaded: what, why, and a way to try again. */
export function Failure({ title, error, reason, retry, recover = true }: FailureProps) {
  const again = recover && passes(error);
  useEffect(() => {
    if (!again) return undefined;
    const timer = setInterval(() => void retry(), RETRY_MS);
    return () => clearInterval(timer);
  }, [again, retry]);
  return (
    <Alert icon={<IconAlertTriangle size={18} />} color="red" variant="light" title={title} role="alert">
      <Group justify="space-between" gap="sm">
        <span>{reason ?? errorText(error)}</span>
        <Button size="xs" variant="default" onClick={() => void retry()}>
          {messages.common.retry}
        </Button>
      </Group>
    </Alert>
  );
}
