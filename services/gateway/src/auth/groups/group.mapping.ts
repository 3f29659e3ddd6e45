import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  GroupMappingOutcome,
  ProviderGroupsProblem,
  type GroupMapping,
  type ProviderGroupsSchema,
} from '@warren/proto/tenancy/v1/tenancy';
import { listed, type GroupsProblem, type StatedGroups } from './provider.groups.ts';

const PROBLEMS: Readonly<Record<GroupsProblem, ProviderGroupsProblem>> = {
  '': ProviderGroupsProblem.UNSPECIFIED,
  overage: ProviderGroupsProblem.OVERAGE,
  'too-many': ProviderGroupsProblem.TOO_MANY,
  unreadable: ProviderGroupsProblem.UNREADABLE,
  unavailable: ProviderGroupsProblem.UNAVAILABLE,
};

/** What tenancy maps by the rules of the person's account. */
export function groupsMessage({ values, problem }: StatedGroups): MessageInitShape<typeof ProviderGroupsSchema> {
  return { values, problem: PROBLEMS[problem] };
}

/** Names the rules that the groups of a person match, at most 20; empty without any. */
export function matchedText({ matched }: GroupMapping): string {
  return listed(matched.map(({ value, groupName }) => `${value} → ${groupName}`));
}

/** Describes what rules would do at a sign-in. */
export function mappingText({ outcome, matched, groupBefore, groupAfter }: GroupMapping): string {
  switch (outcome) {
    case GroupMappingOutcome.NO_RULES:
      return `${groupBefore}: the account has no rules for this provider`;
    case GroupMappingOutcome.KEPT:
      return matched.length === 0 ? `${groupBefore}: no rule matches` : `${groupBefore}, as the rules say`;
    case GroupMappingOutcome.MOVED:
      return `${groupAfter} in place of ${groupBefore}: ${matched.length === 0 ? 'no rule matches any more' : 'the first rule that matches decides'}`;
    case GroupMappingOutcome.UNKNOWN:
      return `${groupBefore}, as it is: the groups are not known`;
    case GroupMappingOutcome.PLACED:
      return `${groupBefore}: rules move nobody out of a group that a person or SCIM chose`;
    case GroupMappingOutcome.ROLE:
      return `${groupBefore}: rules move only users with the role Member`;
    case GroupMappingOutcome.UNSPECIFIED:
      return groupBefore;
  }
}
