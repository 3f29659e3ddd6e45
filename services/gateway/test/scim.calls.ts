/** What tenancy is asked for: calls with their requests as JSON, without the token. */
type Calls = readonly [method: string, request: object][];

const found = (attribute: string, value: string, more: object = {}): object => ({
  attribute: `SCIM_ATTRIBUTE_${attribute}`,
  value,
  limit: 100,
  ...more,
});
const listed = (request: object): Calls => [['listScimUsers', request]];
const userAt = (id: string): Calls => listed(found('ID', id, { limit: 1 }));
const named = (name: string): Calls => listed(found('USER_NAME', name));
const created = (request: object): Calls => [['createScimUser', request]];
const changed = (id: string, fields: object): Calls => [['changeScimUser', { id, ...fields }]];
const groupsFound = (request: object): Calls => [['listScimGroups', request]];
/** By PATCH, which is answered without the members. */
const groupChanged = (id: string, fields: object): Calls => [
  ['changeScimGroup', { id, ...fields, withoutMembers: true }],
];
const member = (operation: string, ...ids: string[]): object => ({
  operation: `SCIM_MEMBER_OPERATION_${operation}`,
  ...(ids.length > 0 ? { users: ids } : {}),
});

const TEST_USER = 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee';
const OKTA_USER = '23a35c27-23d3-4c03-b4c5-6443c09e7173';
const OTHER_OKTA_USER = '89bb1940-b905-4575-9e7f-6f887cfb368e';
const OKTA_GROUP = 'abf4dd94-a4c0-4f67-89c9-76b03340cb9b';
const oktaUser = {
  userName: 'test.user@okta.local',
  email: 'test.user@okta.local',
  name: 'Test User',
  givenName: 'Test',
  familyName: 'User',
  active: true,
};
const randomUser = { ...oktaUser, userName: 'random.user@okta.local', email: 'random.user@okta.local' };

export const ENTRA_CALLS: Readonly<Record<string, Calls>> = {
  'tests the connection with a user that does not exist': named('5f7a7c3e-8a52-4b0a-9d0b-6d3b2a9c1e4f'),
  'creates a user': created({
    userName: TEST_USER,
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    email: 'Test_User_11bb11bb-cc22-dd33-ee44-55ff55ff55ff@testuser.com',
    name: 'givenName familyName',
    givenName: 'givenName',
    familyName: 'familyName',
    active: true,
  }),
  'reads a user': userAt('5d48a0a8e9f04aa38008'),
  'reads a user that does not exist': userAt('5171a35d82074e068ce2'),
  'finds a user by the user name': named(TEST_USER),
  'finds no user by the user name': named('non-existent user'),
  'finds a user by the address': listed(found('EMAIL', 'user@contoso.com')),
  'changes the work address and the family name': changed('6764549bef60420686bc', {
    email: 'updatedEmail@microsoft.com',
    familyName: 'updatedFamilyName',
  }),
  'changes the user name': changed('5171a35d82074e068ce2', {
    userName: '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com',
  }),
  'disables a user': changed('5171a35d82074e068ce2', { active: false }),
  'deletes a user': [['deleteScimUser', { id: '5171a35d82074e068ce2' }]],
  'finds a user by the external id': listed(found('EXTERNAL_ID', 'jyoung')),
  'creates a user with attributes that are null': created({
    userName: 'jyoung@testuser.com',
    externalId: 'jyoung',
    email: 'jyoung@Contoso.com',
    name: 'Joy Young',
    givenName: 'Joy',
    familyName: 'Young',
    active: true,
  }),
  'sets the manager of a user, which is not kept': changed('a0a0a0a0-bbbb-cccc-dddd-e1e1e1e1e1e1', {}),
  'discovers the schemas': [],
  'creates a group': [['createScimGroup', { name: 'displayName', externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' }]],
  'reads a group without its members': groupsFound(
    found('ID', '40734ae655284ad3abcc', { limit: 1, withoutMembers: true }),
  ),
  'finds a group by the name, without its members': groupsFound(
    found('DISPLAY_NAME', 'displayName', { withoutMembers: true }),
  ),
  'renames a group': groupChanged('fa2ce26709934589afc5', {
    name: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName',
  }),
  'adds a member to a group': groupChanged('a99962b9f99d4c4fac67', {
    members: [member('ADD', 'f648f8d5ea4e4cd38e9c')],
  }),
  'removes a member from a group': groupChanged('a99962b9f99d4c4fac67', {
    members: [member('REMOVE', 'f648f8d5ea4e4cd38e9c')],
  }),
  'deletes a group': [['deleteScimGroup', { id: 'cdb1ce18f65944079d37' }]],
  'disables a user by a text, without the flag': changed('id-of-user', { active: false }),
  'adds an attribute that is not kept, without the flag': changed('id-of-user', {}),
  'replaces several attributes, without the flag': changed('id-of-user', {
    externalId: 'Eqpj',
    email: 'TestBcwqnm@test.microsoft.com',
    name: 'Pvlo',
    givenName: 'Gtfd',
    familyName: 'Pkqf',
  }),
  'removes a member by its value, without the flag': groupChanged('id-of-group', {
    members: [member('REMOVE', 'u1091')],
  }),
  'disables a user, with the flag': changed('id-of-user', { active: false }),
  'adds an attribute that is not kept, with the flag': changed('id-of-user', {}),
  'replaces several attributes, with the flag': changed('id-of-user', {
    email: 'TestMhvaes@test.microsoft.com',
    name: 'Bjfe',
    givenName: 'Kkom',
    familyName: 'Unua',
  }),
  'removes a member by its path, with the flag': groupChanged('id-of-group', {
    members: [member('REMOVE', '7f4bc1a3-285e-48ae-8202-5accb43efb0e')],
  }),
};

export const OKTA_CALLS: Readonly<Record<string, Calls>> = {
  'finds no user by the user name': named('test.user@okta.local'),
  'finds a user by the user name': named('test.user@okta.local'),
  'creates a user with a password, which is not kept': created({ ...oktaUser, externalId: '00ujl29u0le5T6Aj10h7' }),
  'creates a user without an external id': created(oktaUser),
  'creates a user that exists': created({ ...oktaUser, externalId: '00ujl29u0le5T6Aj10h7' }),
  'reads a page of users': listed({ limit: 100 }),
  'reads a user': userAt(OKTA_USER),
  'replaces a user': changed(OKTA_USER, {
    userName: 'test.user@okta.local',
    email: 'test.user@okta.local',
    givenName: 'Another',
    familyName: 'User',
    active: true,
  }),
  'disables a user': changed(OKTA_USER, { active: false }),
  'creates a group': [['createScimGroup', { name: 'Test SCIMv2', members: [member('REPLACE')] }]],
  'reads a page of groups': groupsFound({ limit: 100 }),
  'reads a group with its members': groupsFound(found('ID', OKTA_GROUP, { limit: 1 })),
  'renames a group': groupChanged(OKTA_GROUP, { name: 'Test SCIMv2' }),
  'removes a member and adds another': groupChanged(OKTA_GROUP, {
    members: [member('REMOVE', OTHER_OKTA_USER), member('ADD', OKTA_USER)],
  }),
  'replaces all members': groupChanged(OKTA_GROUP, { members: [member('REPLACE', OKTA_USER, OTHER_OKTA_USER)] }),
  'deletes a group': [['deleteScimGroup', { id: OKTA_GROUP }]],
  'Required Test: Test Users endpoint': listed({ limit: 1 }),
  'Required Test: Get Users/{{id}}': userAt('ISVUserid'),
  'Required Test: Test invalid User by username': named('invalid.user@okta.local'),
  'Required Test: Test invalid User by ID': userAt('UserIdThatDoesNotExist'),
  'Required Test: Create Okta user with realistic values': created(randomUser),
  'Required Test: Expect failure when recreating user with same values': created(randomUser),
  'Required Test: Username Case Sensitivity Check': named('RANDOM.USER@OKTA.LOCAL'),
  'Optional Test: Verify Groups endpoint': groupsFound({ limit: 100 }),
  'Required Test: Check status 401': [],
  'Required Test: Check status 404': [],
};

export const OUR_CALLS: Readonly<Record<string, Calls>> = {
  'enables a user': changed('id-of-ann', { active: true }),
  'changes several attributes, and some that are not kept': changed('id-of-ann', {
    email: 'anna.lee@okta.local',
    name: 'Anna Lee',
  }),
  'changes attributes by one operation without a path': changed('id-of-ann', { familyName: 'Li', active: true }),
  'disables a user by all of it': changed('id-of-ann', {
    userName: 'anna.lee@okta.local',
    email: 'anna.lee@okta.local',
    givenName: 'Ann',
    familyName: 'Lee',
    active: false,
  }),
  'reads two users': listed({ limit: 2 }),
  'reads a later page': listed({ offset: 100, limit: 100 }),
  'creates a group with members': [
    ['createScimGroup', { name: 'Field team', members: [member('REPLACE', 'id-of-ann')] }],
  ],
  'replaces a group': [
    ['changeScimGroup', { id: 'id-of-team', name: 'North', members: [member('REPLACE', 'id-of-bob')] }],
  ],
  'removes all members': groupChanged('id-of-team', { members: [member('REPLACE')] }),
};
