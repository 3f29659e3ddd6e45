import { GROUP_SCHEMA, PATCH_SCHEMA, USER_SCHEMA, ENTERPRISE_SCHEMA, type Trace } from '@warren/infra/scim/trace';

/** No identity provider's maker publishes these bodies: they have the forms that clients send beside the published ones. */
const source = 'ours';
const ann = { userName: 'anna.lee@okta.local', name: { givenName: 'Ann', familyName: 'Lee' } };
const bob = { userName: 'bob.ray@okta.local', displayName: 'Bob Ray' };
const user = '/Users/id-of-ann';
const group = '/Groups/id-of-team';
const given = { users: { 'id-of-ann': ann } };
const team = {
  users: { 'id-of-ann': ann, 'id-of-bob': bob },
  groups: { 'id-of-team': { displayName: 'Field team', members: [{ value: 'id-of-ann' }] } },
};

export const OURS: readonly Trace[] = [
  {
    what: 'enables a user',
    source,
    method: 'PATCH',
    path: user,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'active', value: true }] },
    given: { users: { 'id-of-ann': { ...ann, active: false } } },
    status: [200],
    answer: { active: true },
  },
  {
    what: 'changes several attributes, and some that are not kept',
    source,
    method: 'PATCH',
    path: user,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'anna.lee@okta.local' },
        { op: 'Replace', path: 'displayName', value: 'Anna Lee' },
        { op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '1234' },
        { op: 'Add', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Sales' },
      ],
    },
    given,
    status: [200],
    answer: { displayName: 'Anna Lee' },
  },
  {
    what: 'changes attributes by one operation without a path',
    source,
    method: 'PATCH',
    path: user,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        { op: 'replace', value: { 'name.familyName': 'Li', 'emails[type eq "work"].primary': true, active: 'True' } },
      ],
    },
    given,
    status: [200],
    answer: { name: { familyName: 'Li' }, active: true },
  },
  {
    // Okta publishes this for a custom app integration, without a body.
    what: 'disables a user by all of it',
    source,
    method: 'PUT',
    path: user,
    body: {
      schemas: [USER_SCHEMA],
      userName: 'anna.lee@okta.local',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [
        { value: 'private@elsewhere.test', type: 'home' },
        { primary: true, value: 'anna.lee@okta.local', type: 'work' },
      ],
      active: false,
    },
    given,
    status: [200],
    answer: { id: 'id-of-ann', active: false },
  },
  {
    what: 'reads two users',
    source,
    method: 'GET',
    path: '/Users?startIndex=1&count=2',
    given,
    status: [200],
    answer: { startIndex: 1 },
  },
  {
    what: 'reads a later page',
    source,
    method: 'GET',
    path: '/Users?startIndex=101&count=100',
    status: [200],
    answer: { startIndex: 101, itemsPerPage: 0 },
  },
  {
    what: 'creates a group with members',
    source,
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [GROUP_SCHEMA],
      displayName: 'Field team',
      members: [{ value: 'id-of-ann', display: 'anna.lee@okta.local' }],
    },
    given,
    status: [201],
    answer: { displayName: 'Field team', members: [{ value: 'id-of-ann' }] },
  },
  {
    what: 'replaces a group',
    source,
    method: 'PUT',
    path: group,
    body: { schemas: [GROUP_SCHEMA], displayName: 'North', members: [{ value: 'id-of-bob' }] },
    given: team,
    status: [200],
    answer: { id: 'id-of-team', displayName: 'North', members: [{ value: 'id-of-bob' }] },
  },
  {
    what: 'removes all members',
    source,
    method: 'PATCH',
    path: group,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'Remove', path: 'members' }] },
    given: team,
    status: [204],
    after: { [group]: { members: [] } },
  },
];
