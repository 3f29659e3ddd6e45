import { Anchor } from '@mantine/core';
import { IconDeviceDesktop, IconTerminal2, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import { auditApi } from '../../../lib/api/audit.ts';
import type { AuditEvent } from '../../../lib/api/types.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import type { Device } from '../../../lib/api/types.ts';
import { duration } from '../../../lib/format.ts';
import { deviceSessions as text } from '../../../lib/messages/device-sessions.ts';
import { mayViewRecordings } from '../../../lib/recording-access.ts';
import { useSession } from '../../../lib/session.ts';
import { Failure } from '../../../ui/Failure.tsx';
import { When } from '../../../ui/When.tsx';
import classes from './DeviceSessions.module.css';
import { SESSION_ACTIONS, sessionsOf, type DeviceSession } from './sessions.ts';

const SHOWN = 8;
/** A start and an end of each; some have one of them alone. */
const READ = 4 * SHOWN;
const RECORDINGS = 50;
const RENEW = { pollingInterval: 30_000, skipPollingIfUnfocused: true };
const ICONS = { terminal: IconTerminal2, desktop: IconDeviceDesktop, web_service: IconWorld };

/** Who was on the device lately, from the audit trail, with a way to what was recorded. For people who may read the trail of its account. */
export function DeviceSessions({ device: { id, account } }: { device: Pick<Device, 'id' | 'account'> }) {
  const session = useSession();
  const asked = { account: account.id, target: id, action: SESSION_ACTIONS, limit: READ };
  const { currentData, error, refetch } = auditApi.useListAuditEventsQuery(asked, RENEW);
  const { currentData: recorded } = recordingsApi.useListRecordingsQuery(
    { account: account.id, device: id, limit: RECORDINGS },
    { ...RENEW, skip: !mayViewRecordings(session, account.id) },
  );
  const sessions = sessionsOf(currentData?.events ?? [], recorded?.recordings ?? []).slice(0, SHOWN);
  const trail = new URLSearchParams({ ...(session.operator && { account: account.id }), target: id });
  return (
    <section aria-label={text.title}>
      <h2 className={classes.title}>{text.title}</h2>
      {error && !currentData ? <Failure title={text.failed} error={error} retry={refetch} /> : null}
      {currentData && sessions.length === 0 ? <p className={classes.quiet}>{text.none}</p> : null}
      <ul className={classes.list}>
        {sessions.map((one) => (
          <Row key={one.id} session={one} />
        ))}
      </ul>
      <Anchor component={Link} to={`/audit?${trail}`} size="sm">
        {text.trail}
      </Anchor>
    </section>
  );
}

function Row({ session: { kind, actor, at, seconds, recording } }: { session: DeviceSession }) {
  const Shape = ICONS[kind];
  return (
    <li className={classes.session}>
      <span className={classes.kind}>
        <Shape size={16} aria-hidden />
        {text.kinds[kind]}
      </span>
      <span className={classes.who}>{whoOf(actor)}</span>
      <span className={classes.quiet}>
        <When at={at} />
        {seconds === null ? null : ` · ${seconds === undefined ? text.open : duration(seconds)}`}
      </span>
      {recording === undefined ? null : (
        <Anchor component={Link} to={`/sessions/${recording}`} size="sm">
          {text.recording}
        </Anchor>
      )}
    </li>
  );
}

const whoOf = ({ kind, name, email, id }: AuditEvent['actor']) => {
  const who = name || email || id;
  return kind === 'guest' ? text.guest(who) : who;
};
