/** Requests as Entra ID and Okta document and send them, and what tenancy is asked for. */
export interface Trace {
  what: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  status: number;
  /** The call of tenancy: its name and its whole request as JSON, but for the token. */
  call: [method: string, request: object];
  /** What the answer has, among others. */
  answer?: object;
}

export const USER = '01997b5c-0000-7000-8000-0000000000f1';
export const OTHER_USER = '01997b5c-0000-7000-8000-0000000000f2';
export const GROUP = '01997b5c-0000-7000-8000-0000000000e7';
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const users = '/scim/v2/Users';
export const groups = '/scim/v2/Groups';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const patch = (...Operations: unknown[]) => ({ schemas: [PATCH_SCHEMA], Operations });
export const filtered = (path: string, filter: string, more = '') =>
  `${path}?filter=${encodeURIComponent(filter).replaceAll('%20', '+')}${more}`;
export const found = (attribute: string, value: string, more: object = {}) => ({
  attribute: `SCIM_ATTRIBUTE_${attribute}`,
  value,
  limit: 100,
  ...more,
});
export const one = { totalResults: 1, startIndex: 1, itemsPerPage: 1 };
export const none = { totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] };

/** A change of the user by PATCH. */
export const userPatch = (what: string, operations: object[], fields: object): Trace => {
  const call: Trace['call'] = ['changeScimUser', { id: USER, ...fields }];
  return { what, method: 'PATCH', path: `${users}/${USER}`, body: patch(...operations), status: 200, call };
};

/** A change of the group by PATCH, which is answered without it. */
export const groupPatch = (what: string, operations: object[], fields: object): Trace => {
  const call: Trace['call'] = ['changeScimGroup', { id: GROUP, ...fields, withoutMembers: true }];
  return { what, method: 'PATCH', path: `${groups}/${GROUP}`, body: patch(...operations), status: 204, call };
};
export const members = (operation: string, ...ids: string[]) => ({
  members: [{ operation: `SCIM_MEMBER_OPERATION_${operation}`, ...(ids.length > 0 ? { users: ids } : {}) }],
});
