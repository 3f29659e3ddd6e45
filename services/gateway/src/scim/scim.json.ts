import type { ScimGroup, ScimUser } from '@warren/proto/tenancy/v1/scim';
import { isoTime } from '../http/schemas.ts';
import { GROUP_URN, USER_URN } from './scim.bodies.ts';
import { SCIM_PATH } from '../http/scim.fault.ts';

const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** The address of a resource, as `meta.location`. */
export const locationOf = (hub: string, ...parts: string[]): string =>
  new URL([SCIM_PATH, ...parts].join('/'), hub).href;

/** A user as in RFC 7643, section 4.1. */
export function userJson(hub: string, user: ScimUser) {
  const { id, userName, externalId, email, name, active, groupId, groupName, created } = user;
  const { givenName, familyName } = partsOf(user);
  return {
    schemas: [USER_URN],
    id,
    ...(externalId === '' ? {} : { externalId }),
    userName,
    ...(name === '' ? {} : { displayName: name }),
    name: {
      ...(name === '' ? {} : { formatted: name }),
      ...(givenName === '' ? {} : { givenName }),
      ...(familyName === '' ? {} : { familyName }),
    },
    emails: [{ value: email, type: 'work', primary: true }],
    active,
    groups: [{ value: groupId, display: groupName, type: 'direct' }],
    meta: { resourceType: 'User', created: isoTime(created), location: locationOf(hub, 'Users', id) },
  };
}

/** The parts of a name. Okta expects both, and people who joined without SCIM have only one name, whose last word is the family name. */
function partsOf({ name, givenName, familyName }: ScimUser): Pick<ScimUser, 'givenName' | 'familyName'> {
  const last = name.lastIndexOf(' ');
  if (givenName !== '' || familyName !== '' || last < 0) return { givenName, familyName };
  return { givenName: name.slice(0, last).trim(), familyName: name.slice(last + 1) };
}

/** A group as in RFC 7643, section 4.2. */
export function groupJson(hub: string, group: ScimGroup, { withoutMembers = false } = {}) {
  const { id, externalId, name, members, created } = group;
  return {
    schemas: [GROUP_URN],
    id,
    ...(externalId === '' ? {} : { externalId }),
    displayName: name,
    ...(withoutMembers
      ? {}
      : {
          members: members.map((one) => ({
            value: one.id,
            display: one.name,
            $ref: locationOf(hub, 'Users', one.id),
            type: 'User',
          })),
        }),
    meta: { resourceType: 'Group', created: isoTime(created), location: locationOf(hub, 'Groups', id) },
  };
}

/** A page of a list (RFC 7644, section 3.4.2). @param offset from 0 */
export function listJson<T>(resources: readonly T[], { total, offset }: { total: number; offset: number }) {
  return {
    schemas: [LIST_URN],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
