import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import { requireRecentSignIn } from '@warren/platform/policy/recent.sign-in';
import type { Caller, UserCaller } from '@warren/platform/rpc/caller';
import type { AccessRequestResponseSchema } from '@warren/proto/tenancy/v1/requests';
import { requestMinutes, requestNote } from '@warren/rules/access-requests';
import { GRANT_LIMITS } from '@warren/rules/grants';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { accessChanged, grantAudited } from '../access/access.event.ts';
import { countGrants } from '../access/access.sql.ts';
import { insertGrant } from '../access/grant.store.ts';
import { lockAccount } from '../accounts/account.lock.ts';
import { check } from '../contract/check.ts';
import { enqueueEnded } from './mails.sql.ts';
import { AccessDecisionEntity } from './decision.entity.ts';
import { AccessRequestEntity } from './request.entity.ts';
import { requestAudited, requestChanged } from './request.event.ts';
import { requestMessage } from './request.messages.ts';
import { approvalsNeeded, hold, requireAllowed, requireOpen } from './requests.service.ts';
import { isActiveUser, type ListedRequest } from './requests.sql.ts';
import { approversAmong, rulesOf, type ListedRules } from './rules.sql.ts';

interface Deciding {
  accountId: string;
  id: string;
  approve: boolean;
  /** 0: as asked for. */
  minutes: number;
  note: string;
}

type Answer = MessageInitShape<typeof AccessRequestResponseSchema>;

const MINUTE_MS = 60_000;

/** One decision in its transaction, which holds the account: of two at once, the second finds the request decided. */
interface Decision {
  manager: EntityManager;
  emit: (event: Event) => void;
  caller: Caller;
  actor: UserCaller;
  request: ListedRequest;
  rules: ListedRules;
  own: Omit<AccessDecisionEntity, 'decided'>;
}

/** Decides about access requests, and creates the grant of an approved one. */
@Injectable()
export class DecisionsService {
  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  /**
   * Approves or denies a request of another person. One denial ends it; an approval does once there are enough.
   * @throws Fault `not_found`, `permission_denied` for who is no approver now, `recent_sign_in_required`, `invalid_argument`;
   *   `failed_precondition` for a request that has ended or whose requester is not active any more, and when there are too many grants
   */
  async decide(caller: Caller, { accountId, id, approve, ...input }: Deciding): Promise<Answer> {
    const actor = requireMay(caller, 'requests.decide', accountId);
    const note = check('note', requestNote, input.note);
    const wanted = input.minutes === 0 ? undefined : check('minutes', requestMinutes, input.minutes);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const rules = await rulesOf(manager, accountId);
      requireRecentSignIn(actor, rules.recent_minutes);
      await requireApprover(manager, accountId, { rules, userId: actor.userId });
      const request = await hold(manager, id, accountId);
      await requireDecidable(manager, request, actor.userId);
      const minutes = approve ? Math.min(wanted ?? request.minutes, request.minutes) : 0;
      const said = { name: actor.name || actor.email, approved: approve, minutes, note };
      const own = { requestId: id, userId: actor.userId, ...said };
      if (approve) requireAllowed(rules, minutes);
      await manager.insert(AccessDecisionEntity, own);
      const decision = { manager, emit, caller, actor, request, rules, own };
      await (approve ? approved(decision) : denied(decision));
      emit(requestChanged(request, actor.userId));
      return { request: requestMessage(await hold(manager, id, accountId), false) };
    });
  }
}

async function requireApprover(
  manager: EntityManager,
  accountId: string,
  { rules, userId }: { rules: ListedRules; userId: string },
): Promise<void> {
  // Against the group that the user is in now, whatever the gateway knew.
  await isActiveUser(manager, userId, accountId);
  const found = await approversAmong(manager, { accountId, rules, userIds: [userId] });
  if (found.size === 0) throw new Fault('permission_denied', 'you are no approver of access requests here.');
}

async function requireDecidable(manager: EntityManager, request: ListedRequest, userId: string): Promise<void> {
  if (request.userId === userId)
    throw new Fault('permission_denied', 'somebody else has to decide about your request.');
  requireOpen(request);
  if ((request.decisions ?? []).some((one) => one.userId === userId))
    throw new Fault('failed_precondition', 'you have approved this request: another person has to.');
  if (!(await isActiveUser(manager, request.userId, request.accountId)))
    throw new Fault('failed_precondition', `${request.userName} is no active user of the account any more.`);
}

async function denied({ manager, emit, caller, request, own }: Decision): Promise<void> {
  const { id, accountId } = request;
  await manager.update(AccessRequestEntity, { id, accountId }, { state: 'denied', ended: () => 'now()' });
  await enqueueEnded(manager, [request]);
  emit(requestAudited(caller, 'access_request.deny', request, { reason: own.note }));
}

/** Approvals of people who are no approvers any more don't count. */
async function approved(decision: Decision): Promise<void> {
  const { manager, emit, caller, request, rules, own } = decision;
  const given = [...(request.decisions ?? []), own];
  const userIds = given.map(({ userId: id }) => id);
  const approvers = await approversAmong(manager, { accountId: request.accountId, rules, userIds });
  const counted = given.filter(({ userId: id }) => approvers.has(id));
  const needed = Math.max(request.approvalsNeeded, approvalsNeeded(rules));
  const details = { approvals: counted.length, needed, approved_minutes: own.minutes };
  const isEnough = counted.length >= needed;
  const grantId = isEnough ? await grant(decision, Math.min(...counted.map(({ minutes }) => minutes))) : undefined;
  emit(
    requestAudited(caller, 'access_request.approve', request, {
      reason: own.note,
      ...(grantId && { grantId }),
      details,
    }),
  );
}

/** Creates the grant of an approved request. @returns its id */
async function grant({ manager, emit, caller, actor, request }: Decision, minutes: number): Promise<string> {
  const { id, accountId, permissions, filter } = request;
  if ((await countGrants(manager, accountId)) >= GRANT_LIMITS.perAccount)
    throw new Fault('failed_precondition', `there are ${GRANT_LIMITS.perAccount} grants: delete one first.`);
  const row = {
    id: uuidv7(),
    accountId,
    userId: request.userId,
    groupId: null,
    serviceAccountId: null,
    subjectName: request.userName,
    permissions,
    filter,
    note: `Access request: ${request.reason}`.slice(0, GRANT_LIMITS.note).toWellFormed(),
    source: 'request' as const,
    expires: new Date(Date.now() + minutes * MINUTE_MS),
    createdBy: actor.email,
  };
  await insertGrant(manager, row);
  const ended = { state: 'approved', ended: () => 'now()', grantId: row.id, grantExpires: row.expires } as const;
  await manager.update(AccessRequestEntity, { id, accountId }, ended);
  await enqueueEnded(manager, [request]);
  emit(accessChanged(accountId, actor.userId));
  emit(grantAudited(caller, 'grant.create', { after: row }));
  return row.id;
}
