import { Recording as Mode } from '@warren/proto/agent/v1/agent';
import type { RecordedSession as Announced } from '@warren/proto/tunnels/v1/recordings';
import type { RecordedSession, RecordingKind } from '../writer.ts';
import { sizeOf } from './pending.events.ts';

/** The session of a stream, as tunnels says it. */
export function sessionOf(kind: RecordingKind, announced: Announced): RecordedSession {
  const { accountId, deviceId, deviceName, session, userId, userEmail, startedAt, mode, size } = announced;
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
    ...(kind === 'terminal' && { size: sizeOf(size ?? { cols: 80, rows: 24 }) }),
  };
}
