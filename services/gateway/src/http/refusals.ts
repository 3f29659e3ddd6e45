import { Injectable, Logger } from '@nestjs/common';
import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { Fault, type FaultCode } from '@warren/platform/errors/fault';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { requireUser } from '@warren/platform/rpc/caller';
import { AUDIT_TARGETS, type AuditTargetKind } from '@warren/rules/audit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AccessDenied } from './access.ts';
import type { SignedInRequest } from './signed-in.request.ts';
import { OPERATION_ACTIONS } from './operation.actions.ts';

/** Refusals that are recorded in a minute: of one person, and by this process. */
const PER_PERSON = 60;
const PER_PROCESS = 1_200;
const MINUTE_S = 60;
const REFUSALS: readonly FaultCode[] = ['permission_denied', 'recent_sign_in_required'];
const ID = /^[\w-]{1,64}$/;

/** Records operations that a signed-in person has no right to: once for each request, and not more than some per minute. */
@Injectable()
export class Refusals {
  private readonly log = new Logger(Refusals.name);
  private readonly ofPerson = new RateLimiterMemory({ points: PER_PERSON, duration: MINUTE_S });
  private readonly ofProcess = new RateLimiterMemory({ points: PER_PROCESS, duration: MINUTE_S });

  constructor(private readonly outbox: RedisOutbox) {}

  /** Records a refusal unless it is another error. Never rejects: the person is answered in any case. */
  async note(request: SignedInRequest, error: unknown): Promise<void> {
    const { caller, operation } = request;
    if (!caller || !operation || !isRefusal(error)) return;
    const { userId, accountId } = requireUser(caller);
    try {
      await this.ofPerson.consume(userId);
      await this.ofProcess.consume('all');
    } catch {
      return;
    }
    const event = auditEvent(caller, { ...refusedOf(request, operation), accountId, reason: error.message });
    await this.outbox.record([event]).catch((cause: unknown) => {
      this.log.error({ err: cause, operation, user: userId }, 'A refusal could not be recorded.');
    });
  }
}

function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && REFUSALS.includes(error.code) && !(error instanceof AccessDenied);
}

function refusedOf(
  { params }: SignedInRequest,
  operation: string,
): Pick<Audited, 'action' | 'target' | 'outcome' | 'details'> {
  const action = OPERATION_ACTIONS[operation] ?? 'access.deny';
  const kind = AUDIT_TARGETS.find((one) => action.startsWith(`${one}.`));
  const id = typeof params.id === 'string' && ID.test(params.id) ? params.id : '';
  return {
    action,
    outcome: 'refused',
    target: kind && id ? { kind, id } : operationTarget(operation),
    details: { operation },
  };
}

const operationTarget = (id: string): { kind: AuditTargetKind; id: string } => ({ kind: 'operation', id });
