import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ChangeScimUserRequestSchema } from '@warren/proto/tenancy/v1/scim';
import type { Filter } from 'scim2-parse-filter';
import type { z } from 'zod';
import {
  emailsSchema,
  lowerKeys,
  nameSchema,
  scimBoolean,
  scimValue,
  userSchema,
  type PatchOperation,
} from './scim.bodies.ts';
import { ScimFault } from '../http/scim.fault.ts';
import { scimPath, type ScimPath } from './scim.path.ts';

/** What a request says of a user; absent fields stay as they are. */
export type UserFields = Omit<MessageInitShape<typeof ChangeScimUserRequestSchema>, '$typeName' | 'tokenId' | 'id'>;

type Emails = z.output<typeof emailsSchema>;
type Name = z.output<typeof nameSchema>;

/** Attributes of RFC 7643, sections 4.1 and 4.3, that Warren does not keep. Entra ID names those of 4.3 without their URN, too. */
const IGNORED: ReadonlySet<string> = new Set(
  `schemas id meta nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos addresses
  groups entitlements roles x509certificates employeenumber costcenter organization division department manager`.split(
    /\s+/,
  ),
);

/** Converts a user of POST or PUT. */
export function userFields(body: z.output<typeof userSchema>): UserFields {
  const { username: userName, externalid: externalId, displayname, name, emails, active } = body;
  const display = displayname ?? name?.formatted;
  return {
    userName,
    ...given({ externalId, email: primaryOf(emails ?? []), name: display, active: active ?? undefined }),
    ...nameFields(name ?? {}),
    ...(display === undefined ? {} : { name: display }),
  };
}

/**
 * Applies the operations of a PATCH in their order.
 * @throws ScimFault `invalidPath` for an attribute that no user has, `invalidValue`
 */
export function userPatch(operations: readonly PatchOperation[]): UserFields {
  return Object.assign({}, ...operations.map(changeOf)) as UserFields;
}

function changeOf({ op, path, value }: PatchOperation): UserFields {
  if (path) return valueAt(scimPath(path), op === 'remove' ? null : value);
  if (op === 'remove') throw new ScimFault('noTarget', 'a remove needs a path.');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimFault('invalidValue', 'without a path, the value is an object of attributes.');
  const parts = Object.entries(value).map(([key, one]) => valueAt(scimPath(key), one));
  return Object.assign({}, ...parts) as UserFields;
}

/** Reads the value of an attribute. @param value null for one that is removed */
function valueAt(path: ScimPath | undefined, value: unknown): UserFields {
  if (!path || IGNORED.has(path.attribute)) return {};
  const { attribute, sub } = path;
  if (attribute === 'emails') return emailAt(path, value);
  if (attribute === 'name') return sub === undefined ? nameAt(value) : nameAt({ [sub]: value ?? '' });
  if (sub === undefined && !path.filter) {
    const textOf = () => scimValue(value ?? '', userSchema.shape.externalid, attribute) ?? '';
    if (attribute === 'username') return { userName: scimValue(value, userSchema.shape.username, 'userName') };
    if (attribute === 'externalid') return { externalId: textOf() };
    if (attribute === 'displayname') return { name: textOf() };
    if (attribute === 'active') return { active: scimValue(value, scimBoolean, 'active') };
  }
  throw new ScimFault('invalidPath', `${attribute.slice(0, 64)} is no attribute of a user here.`);
}

function nameAt(value: unknown): UserFields {
  return nameFields(scimValue(value ?? {}, nameSchema, 'name'));
}

function nameFields({ formatted, givenname: givenName, familyname: familyName }: Partial<Name>): UserFields {
  return given({ name: formatted, givenName, familyName });
}

function emailAt({ filter, sub }: ScimPath, value: unknown): UserFields {
  // Addresses other than the primary one are not kept.
  if (value === null || (filter && !isPrimary(filter))) return {};
  if (sub === 'value' || (filter && typeof value === 'string'))
    return given({ email: scimValue(value, userSchema.shape.externalid, 'emails') });
  // `primary`, `type` and `display` of an address are not kept.
  if (sub !== undefined) return {};
  const list = Array.isArray(value) ? (value as unknown[]) : [lowerKeys(value)];
  return given({ email: primaryOf(scimValue(list, emailsSchema, 'emails')) });
}

/** Whether a filter selects the address that counts: `type eq "work"` or `primary eq true`. */
function isPrimary(filter: Filter): boolean {
  if (!('attrPath' in filter) || filter.op !== 'eq') return false;
  const name = filter.attrPath.toLowerCase();
  return (name === 'type' && filter.compValue === 'work') || (name === 'primary' && filter.compValue === true);
}

function primaryOf(emails: Emails): string | undefined {
  return (emails.find(({ primary }) => primary === true) ?? emails[0])?.value;
}

/** Without what is not given. */
function given(fields: { [K in keyof UserFields]: UserFields[K] | undefined }): UserFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as UserFields;
}
