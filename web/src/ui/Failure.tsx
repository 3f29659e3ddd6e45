import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { errorText, statusOf } from '../lib/api/errors.ts';
import { messages } from '../lib/messages.ts';

const RETRY_MS = 3_000;

/** Tells whether a retry may work: no response came, or the hub or a service behind it was down. */
const passes = (error: unknown) => error !== undefined && (statusOf(error) ?? 503) >= 500;

interface FailureProps {
  title: string;
  /** The error of a call. */
  error?: unknown;
  /** The reason, if no call failed. */
  reason?: string;
  retry: () => unknown;
  /** Of the button, where another way out than a retry helps. */
  retryLabel?: string;
  /** Retries automatically while the reason may pass; not for calls that change something. */
  recover?: boolean;
}

/** Shows what could not be loaded, why, and a button to retry. */
export function Failure({ title, error, reason, retry, retryLabel, recover = true }: FailureProps) {
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
          {retryLabel ?? messages.common.retry}
        </Button>
      </Group>
    </Alert>
  );
}
