import { Injectable } from '@nestjs/common';
import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import { Fault } from '@warren/platform/errors/fault';
import { userCaller } from '@warren/platform/rpc/caller';
import { v7 as uuidv7 } from 'uuid';
import type { Grant, GrantKind } from './grant.ts';
import { PendingEvents } from '../audit/pending.events.ts';

type Group = 'terminal' | 'desktop' | 'logs' | 'web_service';

const GROUPS: Readonly<Record<GrantKind, Group>> = {
  terminal: 'terminal',
  desktop: 'desktop',
  logs: 'logs',
  web: 'web_service',
};

/** How a session ended: `left`, `exit`, `withdrawn`, … */
interface Ending {
  how: string;
  /** Why its user lost the right, or why it broke. */
  reason?: string | undefined;
  /** Bytes that its user typed. */
  typed?: number;
}

/** A session in the audit trail, from its start on. */
export interface AuditedSession {
  /** Records its end. Later calls change nothing. */
  end: (ending: Ending) => void;
}

/** Records the starts and ends of sessions on devices, and what devices are asked to do. */
@Injectable()
export class SessionTrail {
  constructor(private readonly pending: PendingEvents) {}

  /** Records the start of a session. It goes on while Redis does not answer. */
  start(grant: Grant, details: Record<string, unknown> = {}): AuditedSession {
    const caller = userCaller(grant.user, uuidv7(), grant.origin);
    const about = aboutDevice(grant);
    const group = GROUPS[grant.kind];
    const began = performance.now();
    const ended = (how: string, reason = '', more: { seconds?: number; typed?: number } = {}) =>
      auditEvent(caller, { ...about, action: `${group}.close`, reason, details: { ...details, ended: how, ...more } });
    const opened = auditEvent(caller, { ...about, action: `${group}.open`, details });
    const held = this.pending.holdSoon(ended('lost', 'The process that carried it ended.'), [opened]);
    let isOver = false;
    return {
      end: ({ how, reason, typed }) => {
        if (isOver) return;
        isOver = true;
        const seconds = Math.round((performance.now() - began) / 1_000);
        void held.settle(ended(how, reason, { seconds, ...(typed !== undefined && { typed }) }));
      },
    };
  }

  /**
   * Records what a device is asked to do, and whether it did.
   * @throws Fault `unavailable` if that can't be recorded, before the device is asked; what the device throws
   */
  async during<T>(caller: AuditCaller, audited: Audited, ask: () => Promise<T>): Promise<T> {
    const failed = (reason: string) => auditEvent(caller, { ...audited, outcome: 'failed', reason });
    const held = await this.pending.hold(failed('The process that asked the device ended before the answer.'));
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

function aboutDevice({ deviceAccountId, deviceId, deviceName }: Grant): Pick<Audited, 'accountId' | 'target'> {
  return { accountId: deviceAccountId, target: { kind: 'device', id: deviceId, name: deviceName } };
}
