import type { Filter } from 'scim2-parse-filter';
import { ScimFault } from '../http/scim.fault.ts';
import { parsedFilter } from './scim.filter.ts';

/** The path of a PATCH operation (RFC 7644, section 3.5.2), in lower case: `emails[type eq "work"].value`. */
export interface ScimPath {
  attribute: string;
  filter?: Filter;
  sub?: string;
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const EXTENSION = /^urn:/i;
const PATH = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is;

/** @returns undefined for an attribute of an extension, of which Warren keeps none @throws ScimFault `invalidPath` */
export function scimPath(text: string): ScimPath | undefined {
  const plain = text.trim().replace(CORE, '');
  if (EXTENSION.test(plain)) return undefined;
  const [, attribute, filter, sub] = PATH.exec(plain) ?? [];
  if (attribute === undefined) throw new ScimFault('invalidPath', 'expected a path, such as members[value eq "id"].');
  return {
    attribute: attribute.toLowerCase(),
    ...(filter === undefined ? {} : { filter: parsedFilter(filter, 'invalidPath') }),
    ...(sub === undefined ? {} : { sub: sub.toLowerCase() }),
  };
}
