import { Skeleton } from '@mantine/core';
import type { DevicePresence } from '../lib/api/types.ts';
import { historyApi } from '../lib/api/history.ts';
import { percent, time } from '../lib/format.ts';
import { history as text } from '../lib/messages/history.ts';
import classes from './PresenceStrip.module.css';

/** Shows when a device was connected over the last hours or days, with a scale. */
export function PresenceStrip({ id, hours = 24 }: { id: string; hours?: 24 | 720 }) {
  const { currentData, error } = historyApi.useGetDevicePresenceQuery({ id, hours });
  // The page is useful without it, so errors are not shown.
  if (error && !currentData) return null;
  return (
    <div>
      <h3 className={classes.title}>{text.strip(text.stripHours[hours])}</h3>
      {currentData ? <Strip presence={currentData} span={text.stripHours[hours]} /> : <Skeleton height={38} />}
    </div>
  );
}

function Strip({ presence: { spans, hours }, span }: { presence: DevicePresence; span: string }) {
  const parts = spans.map((span) => ({ ...span, ms: Date.parse(span.to) - Date.parse(span.from) }));
  const sum = (states: string[]) =>
    parts.filter(({ state }) => states.includes(state)).reduce((total, { ms }) => total + ms, 0);
  const known = sum(['Connected', 'Disconnected']);
  const share = percent(known > 0 ? (sum(['Connected']) / known) * 100 : null);
  const breaks = parts.filter(({ state }) => state === 'Disconnected').length;
  const label = known > 0 ? text.stripLabel(span, share, breaks) : text.stripLabelUnknown(span);
  return (
    <figure className={classes.figure}>
      <div className={classes.strip} role="img" aria-label={label}>
        {parts.map((part) => (
          <span
            key={part.from}
            className={classes.span}
            data-state={part.state}
            style={{ flexGrow: part.ms }}
            title={text.fromTo(text.span[part.state], time(part.from), time(part.to))}
          />
        ))}
      </div>
      <figcaption className={classes.scale}>
        <span>{text.hoursAgo(hours)}</span>
        <span>{known > 0 ? text.stripNote(share) : text.stripUnknown}</span>
        <span>{text.now}</span>
      </figcaption>
    </figure>
  );
}
