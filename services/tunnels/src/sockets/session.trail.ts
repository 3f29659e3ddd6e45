import { Injectable } from '@nestjs/common';
import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import { Fault } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { userCaller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import { v7 as uuidv7 } from 'uuid';
import type { Grant, GrantKind } from './grant.ts';
import { PendingEvents, type Pending } from '../audit/pending.events.ts';
import type { Traffic } from '../metering/usage.meter.ts';

type Group = 'terminal' | 'desktop' | 'logs' | 'web_service';

const GROUPS: Readonly<Record<GrantKind, Group>> = {
  terminal: 'terminal',
  desktop: 'desktop',
  logs: 'logs',
  web: 'web_service',
};

type Details = Record<string, unknown>;

/** How a session ended: `left`, `exit`, `withdrawn`, … */
export interface SessionEnding {
  how: string;
  /** Why its user lost the right, or why it broke. */
  reason?: string | undefined;
}

/** What a session carried. */
export interface SessionTraffic extends Traffic {
  /** Requests and WebSockets of a visit to a web service. */
  readonly requests?: number;
}

/** A session in the audit trail, from its start on. */
export interface AuditedSession {
  /** Records its end. Later calls change nothing. @param traffic undefined if it is not counted */
  end: (ending: SessionEnding, traffic?: SessionTraffic) => void;
}

/** A session in the audit trail that its device is asked to open. One of these is called, once. */
export interface RequestedSession {
  /** Records its start. */
  opened: (details: Details) => AuditedSession;
  /** Records that it did not start, although the device may have opened it. */
  failed: (reason: string) => void;
  /** Records nothing: the device has refused it, or was not asked. */
  refused: () => void;
}

/** Records the starts and ends of sessions on devices, and what devices are asked to do. */
@Injectable()
export class SessionTrail {
  constructor(private readonly pending: PendingEvents) {}

  /**
   * Records the start of a session that is about to be shown.
   * @throws Fault `unavailable` if that can't be recorded
   */
  async start(grant: Grant, details: Details = {}): Promise<AuditedSession> {
    const events = eventsOf(grant);
    const held = await this.pending.hold(events.lost(details), [events.open(details)]);
    return this.audited(held, events, details);
  }

  /**
   * Stores that a device is about to be asked for a session: if this process dies before the answer, a failed start is recorded.
   * @param start `observe` for a terminal that is read without its owner's consent
   * @throws Fault `unavailable` if that can't be stored
   */
  async request(grant: Grant, start: 'open' | 'observe' = 'open'): Promise<RequestedSession> {
    const events = eventsOf(grant, start);
    const held = await this.pending.hold(events.failed('The tunnels replica stopped before the device answered.'));
    return {
      opened: (details) => {
        void held.advance(events.open(details), events.lost(details));
        return this.audited(held, events, details);
      },
      failed: (reason) => void held.settle(events.failed(reason)),
      refused: () => void held.drop(),
    };
  }

  private audited(held: Pending, events: SessionEvents, details: Details): AuditedSession {
    const began = performance.now();
    return {
      end: ({ how, reason }, traffic) => {
        const seconds = Math.round((performance.now() - began) / 1_000);
        const counts = traffic && countsOf(traffic);
        void held.settle(events.close({ ...details, ended: how, seconds, ...counts }, reason));
      },
    };
  }

  /**
   * Records what a device is asked to do, and whether it did.
   * @throws Fault `unavailable` if that can't be recorded, before the device is asked; what the device throws
   */
  async during<T>(caller: AuditCaller, audited: Audited, ask: () => Promise<T>): Promise<T> {
    const failed = (reason: string) => auditEvent(caller, { ...audited, outcome: 'failed', reason });
    const held = await this.pending.hold(failed('The tunnels replica stopped before the device answered.'));
    try {
      const answer = await ask();
      await held.settle(auditEvent(caller, audited));
      return answer;
    } catch (error) {
      await held.settle(failed(error instanceof Fault ? error.message : 'Something went wrong.'));
      throw error;
    }
  }
}

function countsOf({ bytesToDevice, bytesFromDevice, requests }: SessionTraffic): Details {
  return { bytes_to_device: bytesToDevice, bytes_from_device: bytesFromDevice, requests };
}

/** The events of one session. */
interface SessionEvents {
  open: (details: Details) => Event;
  failed: (reason: string) => Event;
  close: (details: Details, reason?: string) => Event;
  /** Its end, if the process that carries it dies. */
  lost: (details: Details) => Event;
}

function eventsOf(grant: Grant, start: 'open' | 'observe' = 'open'): SessionEvents {
  const caller = userCaller(grant.user, uuidv7(), grant.origin);
  const { deviceAccountId: accountId, deviceId: id, deviceName: name, grantId } = grant;
  const about = { accountId, target: { kind: 'device', id, name } as const, ...(grantId && { grantId }) };
  const group = GROUPS[grant.kind];
  const action: AuditAction = start === 'observe' ? 'terminal.observe' : `${group}.open`;
  const open = { ...about, action };
  const close = (details: Details, reason = '') =>
    auditEvent(caller, { ...about, action: `${group}.close`, reason, details });
  return {
    open: (details) => auditEvent(caller, { ...open, details }),
    failed: (reason) => auditEvent(caller, { ...open, outcome: 'failed', reason }),
    close,
    lost: (details) => close({ ...details, ended: 'lost' }, 'The tunnels replica that carried the session stopped.'),
  };
}
