import { Loader, Text } from '@mantine/core';
import { guest as text } from '../../lib/messages/guests.ts';
import { messages } from '../../lib/messages.ts';
import { Splash } from '../../ui/Splash.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';

export function Loading() {
  return (
    <Splash>
      <Loader size={40} aria-label={messages.common.loading} role="status" />
    </Splash>
  );
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
