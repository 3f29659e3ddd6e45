import { Recording as Mode } from '@warren/proto/agent/v1/agent';
import type { RecordedDesktop, RecordedTerminal } from '@warren/proto/tunnels/v1/recordings';
import type { RecordedSession } from '../writer.ts';
import { sizeOf } from './pending.events.ts';

type Announced = { case: 'terminal'; value: RecordedTerminal } | { case: 'desktop'; value: RecordedDesktop };

/** The session of a stream, as tunnels says it. */
export function sessionOf({ case: kind, value }: Announced): RecordedSession {
  const { accountId, deviceId, deviceName, session, userId, userEmail, startedAt, mode } = value;
  return {
    accountId,
    deviceId,
    deviceName,
    terminal: session,
    kind,
    userId,
    userEmail,
    startedAt: new Date(Number(startedAt)),
    policy: mode === Mode.REQUIRED ? 'required' : 'best_effort',
    ...(kind === 'terminal' && { size: sizeOf(value.size ?? { cols: 80, rows: 24 }) }),
  };
}
