import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { permissionsOf } from '@warren/platform/policy/permission.names';
import type { RecentSignInSchema } from '@warren/proto/common/v1/common';
import {
  AccessRequestState,
  type AccessDecisionSchema,
  type AccessRequestSchema,
  type AccessRulesSchema,
} from '@warren/proto/tenancy/v1/requests';
import type { RequestState } from './request.entity.ts';
import type { ListedRequest, MadeDecision } from './requests.sql.ts';
import type { AccessRulesRow, ListedRules } from './rules.sql.ts';

const STATES: Readonly<Record<RequestState, AccessRequestState>> = {
  open: AccessRequestState.OPEN,
  approved: AccessRequestState.APPROVED,
  denied: AccessRequestState.DENIED,
  withdrawn: AccessRequestState.WITHDRAWN,
  expired: AccessRequestState.EXPIRED,
};

export function recentSignInMessage(rules: AccessRulesRow): MessageInitShape<typeof RecentSignInSchema> {
  return {
    minutes: rules.recent_minutes,
    terminals: rules.recent_terminals,
    manage: rules.recent_manage,
    grants: rules.recent_grants,
  };
}

export function rulesMessage(rules: ListedRules): MessageInitShape<typeof AccessRulesSchema> {
  return {
    requests: rules.requests,
    longestMinutes: rules.longest_minutes,
    approverGroupId: rules.approver_group ?? '',
    approverGroupName: rules.approver_group_name,
    secondApprover: rules.second_approver,
    recentSignIn: recentSignInMessage(rules),
    guestLinks: rules.guest_links,
    terminalPinDays: rules.terminal_pin_days,
    observeTerminals: rules.observe_terminals,
  };
}

/** @param decidable whether the caller may decide about it now */
export function requestMessage(row: ListedRequest, decidable: boolean): MessageInitShape<typeof AccessRequestSchema> {
  return {
    id: row.id,
    accountId: row.accountId,
    userId: row.userId,
    userName: row.userName,
    userEmail: row.userEmail,
    permissions: permissionsOf(row.permissions),
    filter: row.filter,
    deviceId: row.deviceId ?? '',
    deviceName: row.deviceName,
    reason: row.reason,
    minutes: row.minutes,
    state: STATES[row.state],
    created: timestampFromDate(row.created),
    expires: timestampFromDate(row.expires),
    ...(row.ended && { ended: timestampFromDate(row.ended) }),
    decisions: (row.decisions ?? []).map(decisionMessage),
    approvalsNeeded: row.approvalsNeeded,
    grantId: row.grantId ?? '',
    ...(row.grantExpires && { grantExpires: timestampFromDate(row.grantExpires) }),
    decidable,
  };
}

function decisionMessage(row: MadeDecision): MessageInitShape<typeof AccessDecisionSchema> {
  const { userId, name, approved, minutes, note, decided } = row;
  return { userId, name, approved, minutes, note, decided: timestampFromDate(new Date(decided)) };
}
