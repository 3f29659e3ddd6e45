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
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const users = '/scim/v2/Users';
export const groups = '/scim/v2/Groups';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const patch = (...Operations: unknown[]) => ({ schemas: [PATCH_SCHEMA], Operations });
const filtered = (path: string, filter: string, more = '') =>
  `${path}?filter=${encodeURIComponent(filter).replaceAll('%20', '+')}${more}`;
const found = (attribute: string, value: string, more: object = {}) => ({
  attribute: `SCIM_ATTRIBUTE_${attribute}`,
  value,
  limit: 100,
  ...more,
});
const one = { totalResults: 1, startIndex: 1, itemsPerPage: 1 };
const none = { totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] };

/** A change of the user by PATCH. */
const userPatch = (what: string, operations: object[], fields: object): Trace => {
  const call: Trace['call'] = ['changeScimUser', { id: USER, ...fields }];
  return { what, method: 'PATCH', path: `${users}/${USER}`, body: patch(...operations), status: 200, call };
};

/** A change of the group by PATCH, which is answered without it. */
const groupPatch = (what: string, operations: object[], fields: object): Trace => {
  const call: Trace['call'] = ['changeScimGroup', { id: GROUP, ...fields }];
  return { what, method: 'PATCH', path: `${groups}/${GROUP}`, body: patch(...operations), status: 204, call };
};
const members = (operation: string, ...ids: string[]) => ({
  members: [{ operation: `SCIM_MEMBER_OPERATION_${operation}`, ...(ids.length > 0 ? { users: ids } : {}) }],
});

export const ENTRA: readonly Trace[] = [
  {
    what: 'tests the connection with a user that does not exist',
    method: 'GET',
    path: filtered(users, 'userName eq "5f7a7c3e-8a52-4b0a-9d0b-6d3b2a9c1e4f"'),
    status: 200,
    call: ['listScimUsers', found('USER_NAME', '5f7a7c3e-8a52-4b0a-9d0b-6d3b2a9c1e4f')],
    answer: none,
  },
  {
    what: 'finds a user by name',
    method: 'GET',
    path: filtered(users, 'userName eq "Ann.Lee@acme.test"'),
    status: 200,
    call: ['listScimUsers', found('USER_NAME', 'Ann.Lee@acme.test')],
    answer: { ...one, Resources: [{ id: USER, userName: 'Ann.Lee@acme.test', active: true }] },
  },
  {
    what: 'finds a user by the address',
    method: 'GET',
    path: filtered(users, 'emails[type eq "work"].value eq "ann.lee@acme.test"'),
    status: 200,
    call: ['listScimUsers', found('EMAIL', 'ann.lee@acme.test')],
  },
  {
    what: 'creates a user, with attributes that are not kept',
    method: 'POST',
    path: users,
    body: {
      schemas: [USER_SCHEMA, ENTERPRISE],
      externalId: 'ann.lee',
      userName: 'Ann.Lee@acme.test',
      active: true,
      displayName: 'Ann Lee',
      emails: [{ primary: true, type: 'work', value: 'ann.lee@acme.test' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ann Lee', familyName: 'Lee', givenName: 'Ann' },
      roles: [{ primary: true, value: 'Owner' }],
      groups: [{ value: GROUP }],
      title: 'Engineer',
      [ENTERPRISE]: { department: 'Field', manager: { value: OTHER_USER } },
    },
    status: 201,
    call: [
      'createScimUser',
      {
        userName: 'Ann.Lee@acme.test',
        externalId: 'ann.lee',
        email: 'ann.lee@acme.test',
        name: 'Ann Lee',
        givenName: 'Ann',
        familyName: 'Lee',
        active: true,
      },
    ],
    answer: { id: USER, meta: { resourceType: 'User', location: `http://hub.test${users}/${USER}` } },
  },
  userPatch(
    'disables a user with a text in the place of a boolean',
    [{ op: 'Replace', path: 'active', value: 'False' }],
    { active: false },
  ),
  userPatch('enables a user', [{ op: 'replace', path: 'active', value: true }], { active: true }),
  userPatch('changes part of a name', [{ op: 'Replace', path: 'name.givenName', value: 'Anna' }], {
    givenName: 'Anna',
  }),
  userPatch(
    'changes several attributes, and some that are not kept',
    [
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'ann.lee@acme.test' },
      { op: 'Replace', path: 'displayName', value: 'Anna Lee' },
      { op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '1234' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
    ],
    { email: 'ann.lee@acme.test', name: 'Anna Lee' },
  ),
  userPatch(
    'changes attributes by one operation without a path',
    [{ op: 'replace', value: { 'name.familyName': 'Li', 'emails[type eq "work"].primary': true, active: 'True' } }],
    { familyName: 'Li', active: true },
  ),
  {
    what: 'deletes a user',
    method: 'DELETE',
    path: `${users}/${USER}`,
    status: 204,
    call: ['deleteScimUser', { id: USER }],
  },
  {
    what: 'finds a group without its members',
    method: 'GET',
    path: filtered(groups, 'displayName eq "Field team"', '&excludedAttributes=members'),
    status: 200,
    call: ['listScimGroups', found('DISPLAY_NAME', 'Field team', { withoutMembers: true })],
    answer: one,
  },
  {
    what: 'creates a group',
    method: 'POST',
    path: groups,
    body: {
      schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Field team',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    call: ['createScimGroup', { name: 'Field team', externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' }],
    answer: { id: GROUP, displayName: 'Field team', meta: { location: `http://hub.test${groups}/${GROUP}` } },
  },
  {
    what: 'reads a group without its members',
    method: 'GET',
    path: `${groups}/${GROUP}?excludedAttributes=members`,
    status: 200,
    call: ['listScimGroups', { attribute: 'SCIM_ATTRIBUTE_ID', value: GROUP, limit: 1, withoutMembers: true }],
    answer: { id: GROUP },
  },
  groupPatch(
    'adds a member',
    [{ op: 'Add', path: 'members', value: [{ $ref: null, value: USER }] }],
    members('ADD', USER),
  ),
  groupPatch(
    'removes a member by its value',
    [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: USER }] }],
    members('REMOVE', USER),
  ),
  groupPatch(
    'removes a member by its path',
    [{ op: 'remove', path: `members[value eq "${USER}"]` }],
    members('REMOVE', USER),
  ),
  groupPatch('removes all members', [{ op: 'Remove', path: 'members' }], members('REPLACE')),
];

export const OKTA: readonly Trace[] = [
  {
    what: 'tests the connection',
    method: 'GET',
    path: `${users}?startIndex=1&count=2`,
    status: 200,
    call: ['listScimUsers', { limit: 2 }],
    answer: one,
  },
  {
    what: 'reads a later page',
    method: 'GET',
    path: `${users}?startIndex=101&count=100`,
    status: 200,
    call: ['listScimUsers', { offset: 100, limit: 100 }],
    answer: { startIndex: 101 },
  },
  {
    what: 'creates a user with a password, which is not kept',
    method: 'POST',
    path: users,
    body: {
      schemas: [USER_SCHEMA],
      userName: 'Ann.Lee@acme.test',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [
        { value: 'private@elsewhere.test', type: 'home' },
        { primary: true, value: 'ann.lee@acme.test', type: 'work' },
      ],
      displayName: 'Ann Lee',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    },
    status: 201,
    call: [
      'createScimUser',
      {
        userName: 'Ann.Lee@acme.test',
        externalId: '00ujl29u0le5T6Aj10h7',
        email: 'ann.lee@acme.test',
        name: 'Ann Lee',
        givenName: 'Ann',
        familyName: 'Lee',
        active: true,
      },
    ],
  },
  {
    what: 'disables a user by all of it',
    method: 'PUT',
    path: `${users}/${USER}`,
    body: {
      schemas: [USER_SCHEMA],
      id: OTHER_USER,
      userName: 'Ann.Lee@acme.test',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ primary: true, value: 'ann.lee@acme.test', type: 'work' }],
      active: false,
      groups: [],
      meta: { resourceType: 'User' },
    },
    status: 200,
    call: [
      'changeScimUser',
      {
        id: USER,
        userName: 'Ann.Lee@acme.test',
        email: 'ann.lee@acme.test',
        givenName: 'Ann',
        familyName: 'Lee',
        active: false,
      },
    ],
    answer: { id: USER, active: false },
  },
  userPatch('disables a user by a patch', [{ op: 'replace', value: { active: false } }], { active: false }),
  {
    what: 'creates a group with members',
    method: 'POST',
    path: groups,
    body: {
      schemas: [GROUP_SCHEMA],
      displayName: 'Field team',
      members: [{ value: USER, display: 'ann.lee@acme.test' }],
    },
    status: 201,
    call: ['createScimGroup', { name: 'Field team', ...members('REPLACE', USER) }],
  },
  groupPatch('renames a group', [{ op: 'replace', value: { id: GROUP, displayName: 'North' } }], { name: 'North' }),
  groupPatch(
    'removes and adds members',
    [
      { op: 'remove', path: `members[value eq "${USER}"]` },
      { op: 'add', path: 'members', value: [{ value: OTHER_USER, display: 'bob@acme.test' }] },
    ],
    { members: [...members('REMOVE', USER).members, ...members('ADD', OTHER_USER).members] },
  ),
  {
    what: 'replaces a group',
    method: 'PUT',
    path: `${groups}/${GROUP}`,
    body: { schemas: [GROUP_SCHEMA], id: GROUP, displayName: 'Field team', members: [{ value: OTHER_USER }] },
    status: 200,
    call: ['changeScimGroup', { id: GROUP, name: 'Field team', ...members('REPLACE', OTHER_USER) }],
    answer: { id: GROUP, displayName: 'Field team' },
  },
  {
    what: 'deletes a group',
    method: 'DELETE',
    path: `${groups}/${GROUP}`,
    status: 204,
    call: ['deleteScimGroup', { id: GROUP }],
  },
];
