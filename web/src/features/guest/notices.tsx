import { Loader, Text } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { statusOf } from '../../lib/api/errors.ts';
import { retryAfterOf } from '../../lib/api/guests.ts';
import { guest as text } from '../../lib/messages/guests.ts';
import { messages } from '../../lib/messages.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Splash } from '../../ui/Splash.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';

export function Loading() {
  return (
    <Splash>
      <Loader size={40} aria-label={messages.common.loading} role="status" />
    </Splash>
  );
}

interface UnopenedProps {
  error: unknown;
  retry: () => unknown;
}

/** What a page of a guest shows while the hub does not say what the link opens. */
export function Unopened({ error, retry }: UnopenedProps) {
  if (statusOf(error) === 429) return <Busy error={error} retry={retry} />;
  return <Failure title={text.failed} error={error} retry={retry} />;
}

/** Retries after too many calls, once the time in `Retry-After` has passed. */
function Busy({ error, retry }: UnopenedProps) {
  const seconds = retryAfterOf(error);
  const again = useEffectEvent(() => void retry());
  // Each response is another error, and starts the timer again.
  useEffect(() => {
    const timer = setTimeout(() => again(), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [error, seconds]);
  return <Notice title={text.busy} note={text.busyText(seconds)} />;
}

/** Why a link opens nothing. */
export function Closed({ state }: { state: keyof typeof text.closed }) {
  const [title, note] = text.closed[state];
  return <Notice title={title} note={note} />;
}

/** Why the web service of a link does not open. */
export function Unserved({ state }: { state: keyof typeof text.services }) {
  const [title, note] = text.services[state];
  return <Notice title={title} note={note} />;
}

export function Notice({ title, note }: { title: string; note: string }) {
  return (
    <Splash>
      <Wordmark size={32} />
      <h1 style={{ margin: 0, fontSize: 20 }}>{title}</h1>
      <Text c="dimmed">{note}</Text>
    </Splash>
  );
}
