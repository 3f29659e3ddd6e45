import { Injectable, Logger } from '@nestjs/common';
import { scimTokenActor, type AuditActorInit } from '@warren/platform/audit/audit.actor';
import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { Fault, type FaultCode } from '@warren/platform/errors/fault';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { AUDIT_TARGETS, type AuditTargetKind } from '@warren/rules/audit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AccessDenied } from './access.ts';
import { gatewayCaller, type SignedInRequest } from './signed-in.request.ts';
import { OPERATION_ACTIONS } from './operation.actions.ts';

/** Refusals that are recorded in a minute: of one person, and by this process. */
const PER_PERSON = 60;
const PER_PROCESS = 1_200;
const MINUTE_S = 60;
const REFUSALS: readonly FaultCode[] = ['permission_denied', 'recent_sign_in_required'];
const ID = /^[\w-]{1,64}$/;

/** Who is refused: a signed-in person, or a SCIM token. */
interface Refused {
  /** Counts refusals by this id. */
  id: string;
  caller: Caller;
  accountId: string;
  /** If it is not the caller. */
  actor?: AuditActorInit;
}

/** Records operations that a person or SCIM token has no right to: once for each request, and not more than some per minute. */
@Injectable()
export class Refusals {
  private readonly log = new Logger(Refusals.name);
  private readonly ofPerson = new RateLimiterMemory({ points: PER_PERSON, duration: MINUTE_S });
  private readonly ofProcess = new RateLimiterMemory({ points: PER_PROCESS, duration: MINUTE_S });

  constructor(private readonly outbox: RedisOutbox) {}

  /** Records a refusal unless it is another error. Never rejects: the person is answered in any case. */
  async note(request: SignedInRequest, error: unknown): Promise<void> {
    const { operation } = request;
    const refused = refusedBy(request);
    if (!refused || !operation || !isRefusal(error)) return;
    const { id, caller, accountId, actor } = refused;
    try {
      await this.ofPerson.consume(id);
      await this.ofProcess.consume('all');
    } catch {
      return;
    }
    const what = { ...refusedOf(request, operation), accountId, reason: reasonOf(error) };
    const event = auditEvent(caller, { ...what, ...(actor && { actor }) });
    await this.outbox.record([event]).catch((cause: unknown) => {
      this.log.error({ err: cause, operation, user: id }, 'A refusal could not be recorded.');
    });
  }
}

function refusedBy(request: SignedInRequest): Refused | undefined {
  const { caller, scimToken } = request;
  if (caller) {
    const { userId: id, accountId } = requireUser(caller);
    return { id, caller, accountId };
  }
  // A tenancy of the previous version omits the account.
  if (!scimToken?.accountId) return undefined;
  const { id, accountId } = scimToken;
  const actor = scimTokenActor(scimToken, accountId);
  return { id, caller: gatewayCaller(request), accountId, actor };
}

function isRefusal(error: unknown): error is Fault {
  if (!(error instanceof Fault) || error instanceof AccessDenied) return false;
  return error.otherAccount || REFUSALS.includes(error.code);
}

const reasonOf = ({ otherAccount, message }: Fault): string => (otherAccount ? `no access to ${message}` : message);

function refusedOf(
  { params }: SignedInRequest,
  operation: string,
): Pick<Audited, 'action' | 'target' | 'outcome' | 'details'> {
  const action = OPERATION_ACTIONS[operation] ?? 'access.deny';
  const kind = AUDIT_TARGETS.find((one) => action.startsWith(`${one}.`));
  const id = typeof params.id === 'string' && ID.test(params.id) ? params.id : '';
  const isNamed = kind !== undefined && id !== '';
  return {
    action,
    outcome: 'refused',
    target: isNamed ? { kind, id } : operationTarget(operation),
    details: isNamed || id === '' ? { operation } : { operation, id },
  };
}

const operationTarget = (id: string): { kind: AuditTargetKind; id: string } => ({ kind: 'operation', id });
