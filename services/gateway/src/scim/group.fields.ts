import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ScimMemberOperation,
  type ChangeScimGroupRequestSchema,
  type ScimMemberChangeSchema,
} from '@warren/proto/tenancy/v1/scim';
import { SCIM_LIMITS } from '@warren/rules/scim';
import type { Filter } from 'scim2-parse-filter';
import type { z } from 'zod';
import { groupSchema, membersSchema, scimValue, type PatchOperation } from './scim.bodies.ts';
import { ScimFault } from '../http/scim.fault.ts';
import { scimPath, type ScimPath } from './scim.path.ts';

/** What a request says of a group; absent fields stay as they are. */
export type GroupFields = Omit<MessageInitShape<typeof ChangeScimGroupRequestSchema>, '$typeName' | 'tokenId' | 'id'>;
type MemberChange = MessageInitShape<typeof ScimMemberChangeSchema>;
type Op = PatchOperation['op'];

const IGNORED: ReadonlySet<string> = new Set(['schemas', 'id', 'meta']);
const OPERATIONS: Readonly<Record<Op, ScimMemberOperation>> = {
  add: ScimMemberOperation.ADD,
  remove: ScimMemberOperation.REMOVE,
  replace: ScimMemberOperation.REPLACE,
};

/** Converts a group of POST or PUT. */
export function groupFields({
  displayname: name,
  externalid: externalId,
  members,
}: z.output<typeof groupSchema>): GroupFields {
  return {
    name,
    ...(externalId === undefined ? {} : { externalId }),
    ...(members ? { members: [{ operation: ScimMemberOperation.REPLACE, users: members }] } : {}),
  };
}

/**
 * Applies the operations of a PATCH in their order.
 * @throws ScimFault `invalidPath`, `invalidValue`, `tooMany` for too many members altogether
 */
export function groupPatch(operations: readonly PatchOperation[]): GroupFields {
  const members: MemberChange[] = [];
  const fields: GroupFields = {};
  for (const operation of operations) {
    const { members: changed = [], ...others } = changeOf(operation);
    Object.assign(fields, others);
    members.push(...changed);
  }
  const count = members.reduce((sum, { users = [] }) => sum + users.length, 0);
  if (count > SCIM_LIMITS.members)
    throw new ScimFault('tooMany', `members: expected at most ${SCIM_LIMITS.members} in one request.`);
  return { ...fields, members };
}

function changeOf({ op, path, value }: PatchOperation): GroupFields {
  if (path) return valueAt(op, scimPath(path), value);
  if (op === 'remove') throw new ScimFault('noTarget', 'a remove needs a path.');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimFault('invalidValue', 'without a path, the value is an object of attributes.');
  const parts = Object.entries(value).map(([key, one]) => valueAt(op, scimPath(key), one));
  return Object.assign({}, ...parts) as GroupFields;
}

function valueAt(op: Op, path: ScimPath | undefined, value: unknown): GroupFields {
  if (!path || IGNORED.has(path.attribute)) return {};
  const { attribute, sub, filter } = path;
  if (attribute === 'members' && sub === undefined) return { members: [membersAt(op, filter, value)] };
  if (!filter && sub === undefined) {
    if (attribute === 'displayname') return { name: scimValue(value, groupSchema.shape.displayname, 'displayName') };
    if (attribute === 'externalid')
      return { externalId: (op === 'remove' ? undefined : scimValue(value, groupSchema.shape.externalid)) ?? '' };
  }
  throw new ScimFault('invalidPath', `${attribute.slice(0, 64)} is no attribute of a group here.`);
}

function membersAt(op: Op, filter: Filter | undefined, value: unknown): MemberChange {
  if (filter) {
    if (op !== 'remove' || filter.op !== 'eq' || !isValue(filter.attrPath) || typeof filter.compValue !== 'string')
      throw new ScimFault('invalidPath', 'expected members[value eq "id"] in a remove.');
    return { operation: ScimMemberOperation.REMOVE, users: [filter.compValue] };
  }
  // A remove of all.
  if (op === 'remove' && (value === undefined || value === null))
    return { operation: ScimMemberOperation.REPLACE, users: [] };
  return { operation: OPERATIONS[op], users: scimValue(value, membersSchema, 'members') };
}

const isValue = (path: string) => path.toLowerCase() === 'value';
