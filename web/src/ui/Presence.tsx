import { useEffect, useState } from 'react';
import { linkApi } from '../lib/api/generated/link.ts';
import { hubNow } from '../lib/clock.ts';
import { ago, time } from '../lib/format.ts';
import { messages } from '../lib/messages.ts';
import { presenceWord, RECONNECTING_MS } from '../lib/presence.ts';
import type { PresenceFacts, PresenceWord } from '../lib/presence.ts';
import { useTip } from './useTip.tsx';
import classes from './Presence.module.css';

interface PresenceProps {
  device: PresenceFacts;
  /** Also shows since when a device is disconnected, or `always` since when it is connected, too. */
  withSince?: boolean | 'always';
}

/** Shows a device's presence as a dot (full, half or hollow) and a word, so that it does not depend on colours. */
export function Presence({ device, withSince = false }: PresenceProps) {
  const word = usePresenceWord(device);
  const since = device.status_since;
  const { target, tip } = useTip<HTMLSpanElement>(since ? <Hover device={device} since={since} /> : null);
  return (
    <span {...target} className={classes.root} data-presence={word}>
      <span className={classes.dot} aria-hidden />
      <span>{messages.presence[word]}</span>
      {withSince && word === 'Disconnected' && since ? (
        <span className={classes.since}>{ago(since, hubNow())}</span>
      ) : null}
      {withSince === 'always' && word === 'Connected' && since ? (
        <span className={classes.since} data-since>
          {messages.presence.since(time(since))}
        </span>
      ) : null}
      {tip}
    </span>
  );
}

/** Shown on hover, so that the round trip to a device is measured only on demand. */
function Hover({ device, since }: { device: PresenceFacts; since: string }) {
  const connected = device.status === 'Connected';
  const { data } = linkApi.useGetRoundTripQuery(
    { id: device.id ?? '' },
    { skip: !connected || !device.id, refetchOnMountOrArgChange: true },
  );
  const word = connected ? messages.presence.Connected : messages.presence.Disconnected;
  return (
    <>
      {word} {messages.presence.since(time(since))}
      {data ? ` · ${messages.presence.roundTrip(roundTrip(data.round_trip))}` : null}
    </>
  );
}

const roundTrip = (ms: number) => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));

/** The word updates when a device has been disconnected for long enough. */
function usePresenceWord(device: PresenceFacts): PresenceWord {
  const [, again] = useState(0);
  const word = presenceWord(device, hubNow());
  const { status_since: since } = device;
  useEffect(() => {
    if (word !== 'Reconnecting' || !since) return undefined;
    const left = Date.parse(since) + RECONNECTING_MS - hubNow();
    const timer = setTimeout(() => again((count) => count + 1), Math.max(0, left) + 50);
    return () => clearTimeout(timer);
  }, [word, since]);
  return word;
}
