import { Tooltip } from '@mantine/core';
import { hubNow } from '../lib/clock.ts';
import { ago, time } from '../lib/format.ts';
import { messages } from '../lib/messages.ts';
import classes from './Presence.module.css';

interface PresenceProps {
  /** `Connected` or anything else. */
  status: string;
  /** ISO time of the last change. */
  since?: string | null;
  /** Shows since when a device is away, beside the word. */
  withSince?: boolean;
}

/** Whether a device is there: a dot (full or hollow) and the word, so that no one has to tell colours apart. */
export function Presence({ status, since, withSince = false }: PresenceProps) {
  const connected = status === 'Connected';
  const word = connected ? messages.presence.Connected : messages.presence.Disconnected;
  const label = (
    <span className={classes.root} data-connected={connected || undefined}>
      <span className={classes.dot} aria-hidden />
      <span>{word}</span>
      {withSince && !connected && since ? <span className={classes.since}>{ago(since, hubNow())}</span> : null}
    </span>
  );
  if (!since) return label;
  return <Tooltip label={`${word} ${messages.presence.since(time(since))}`}>{label}</Tooltip>;
}
