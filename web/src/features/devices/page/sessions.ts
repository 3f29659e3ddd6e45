import type { AuditEvent, Recording } from '../../../lib/api/types.ts';

const SESSION_KINDS = ['terminal', 'desktop', 'web_service'] as const;
type SessionKind = (typeof SESSION_KINDS)[number];

/** What the audit trail is asked for: the starts and ends of sessions. */
export const SESSION_ACTIONS = [
  ...SESSION_KINDS.flatMap((kind) => [`${kind}.open`, `${kind}.close`]),
  'terminal.observe',
].join(',');

/** A session of somebody on a device. */
export interface DeviceSession {
  id: string;
  kind: SessionKind;
  actor: AuditEvent['actor'];
  /** When it began, as an ISO time. */
  at: string;
  /** How long it was; undefined while it is open, null if its end was not seen by the process that carried it. */
  seconds: number | null | undefined;
  /** Id of its recording. */
  recording: string | undefined;
}

/** The sessions behind events, newest first. The start and the end of one have the same request id. */
export function sessionsOf(events: readonly AuditEvent[], recordings: readonly Recording[]): DeviceSession[] {
  const recorded = new Map(recordings.map(({ session, id }) => [session, id]));
  const groups = Map.groupBy(events, ({ requestId, action }) => `${requestId} ${kindOf(action)}`);
  return [...groups]
    .flatMap(([id, both]) => {
      const opened = both.find(({ action }) => action.endsWith('.open') || action === 'terminal.observe');
      const closed = both.find(({ action }) => action.endsWith('.close'));
      const one = opened ?? closed;
      const kind = one && kindOf(one.action);
      if (!one || !kind) return [];
      const seconds = closed && secondsOf(closed);
      // Of a session that began before the oldest event, the end says when.
      const at = opened?.time ?? new Date(Date.parse(one.time) - (seconds ?? 0) * 1_000).toISOString();
      const { terminal, desktop } = one.details;
      const recording = [terminal, desktop].flatMap((name) => recorded.get(String(name)) ?? [])[0];
      return [{ id, kind, actor: one.actor, at, seconds, recording }];
    })
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

const kindOf = (action: string) => SESSION_KINDS.find((kind) => action.startsWith(`${kind}.`));

const secondsOf = ({ details: { seconds } }: AuditEvent) => (typeof seconds === 'number' ? seconds : null);
