import { ERROR_SCHEMA, GROUP_SCHEMA, LIST_SCHEMA, PATCH_SCHEMA, USER_SCHEMA, type Trace } from './trace.ts';

/**
 * Okta and SCIM Version 2.0; before, SCIM 2.0 Protocol Reference at https://developer.okta.com/docs/reference/scim/scim-20/.
 * As in okta/okta-developer-docs, packages/@okta/vuepress-site/docs/reference/scim/scim-20/index.md, commit 02e8ee86.
 */
const PAGE = 'https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20';

const USER = '23a35c27-23d3-4c03-b4c5-6443c09e7173';
const OTHER_USER = '89bb1940-b905-4575-9e7f-6f887cfb368e';
const GROUP = 'abf4dd94-a4c0-4f67-89c9-76b03340cb9b';

const isUser = { schemas: [USER_SCHEMA], meta: { resourceType: 'User' } };
const emails = [{ primary: true, value: 'test.user@okta.local', type: 'work' }];
const testUser = {
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails,
  active: true,
};
const anotherUser = { ...testUser, name: { givenName: 'Another', familyName: 'User' } };
const otherUser = { userName: 'other.user@okta.local', displayName: 'Other User' };
const group = { displayName: 'Test SCIMv2' };

/** What the page publishes to create a user. */
const CREATED = {
  schemas: [USER_SCHEMA],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

/** Answers are without `locale`, `middleName` and an empty `groups`: Warren keeps neither of the first two, and each user has a group. */
const USERS: readonly Trace[] = [
  {
    what: 'finds no user by the user name',
    source: `${PAGE}, Determine if the User already exists`,
    method: 'GET',
    path: '/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100',
    status: [200, 404],
    answer: { schemas: [LIST_SCHEMA], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
  },
  {
    what: 'finds a user by the user name',
    source: `${PAGE}, Determine if the User already exists`,
    method: 'GET',
    path: '/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100',
    given: { users: { [USER]: testUser } },
    status: [200],
    answer: { schemas: [LIST_SCHEMA], totalResults: 1, Resources: [{ id: USER, userName: 'test.user@okta.local' }] },
  },
  {
    what: 'creates a user with a password, which is not kept',
    source: `${PAGE}, Create the User`,
    method: 'POST',
    path: '/Users',
    body: CREATED,
    status: [201],
    answer: { ...isUser, ...testUser, displayName: 'Test User', externalId: '00ujl29u0le5T6Aj10h7' },
  },
  {
    what: 'creates a user without an external id',
    source: `${PAGE}, Create the User`,
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER_SCHEMA],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      groups: [],
      password: '1mz050nq',
      active: true,
    },
    status: [201],
    answer: { ...isUser, ...testUser, displayName: 'Test User' },
  },
  {
    // The page's `status` is a number, RFC 7644 (section 3.12) has a text.
    what: 'creates a user that exists',
    source: `${PAGE}, Create the User`,
    method: 'POST',
    path: '/Users',
    body: CREATED,
    given: { users: { [USER]: testUser } },
    status: [409],
    answer: { schemas: [ERROR_SCHEMA] },
    filled: ['detail'],
  },
  {
    what: 'reads a page of users',
    source: `${PAGE}, Retrieve Users`,
    method: 'GET',
    path: '/Users?startIndex=1&count=100',
    given: { users: { [USER]: testUser } },
    status: [200],
    answer: { schemas: [LIST_SCHEMA], startIndex: 1 },
    filled: ['Resources.0.id'],
  },
  {
    what: 'reads a user',
    source: `${PAGE}, Retrieve a specific User`,
    method: 'GET',
    path: `/Users/${USER}`,
    given: { users: { [USER]: testUser } },
    status: [200],
    answer: { ...isUser, ...testUser, id: USER },
  },
  {
    what: 'replaces a user',
    source: `${PAGE}, Update the User`,
    method: 'PUT',
    path: `/Users/${USER}`,
    body: {
      schemas: [USER_SCHEMA],
      id: USER,
      userName: 'test.user@okta.local',
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    given: { users: { [USER]: testUser } },
    status: [200],
    answer: { ...isUser, ...anotherUser, id: USER },
  },
  {
    what: 'disables a user',
    source: `${PAGE}, Update a specific User (PATCH)`,
    method: 'PATCH',
    path: `/Users/${USER}`,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', value: { active: false } }] },
    given: { users: { [USER]: anotherUser } },
    status: [200],
    answer: { ...isUser, ...anotherUser, id: USER, active: false },
  },
];

const GROUPS: readonly Trace[] = [
  {
    what: 'creates a group',
    source: `${PAGE}, Create Groups`,
    method: 'POST',
    path: '/Groups',
    body: { schemas: [GROUP_SCHEMA], displayName: 'Test SCIMv2', members: [] },
    status: [201],
    answer: {
      schemas: [GROUP_SCHEMA],
      displayName: 'Test SCIMv2',
      members: [],
      meta: { resourceType: 'Group' },
    },
  },
  {
    what: 'reads a page of groups',
    source: `${PAGE}, Retrieve Groups`,
    method: 'GET',
    path: '/Groups?startIndex=1&count=100',
    given: { groups: { [GROUP]: group } },
    status: [200],
    answer: { schemas: [LIST_SCHEMA], startIndex: 1 },
    filled: ['Resources.0.id'],
  },
  {
    what: 'reads a group with its members',
    source: `${PAGE}, Retrieve specific Groups`,
    method: 'GET',
    path: `/Groups/${GROUP}`,
    given: {
      users: { b1c794f24f4c49f4b5d503a4cb2686ea: { ...otherUser, displayName: 'SCIM 2 Group A' } },
      groups: { [GROUP]: { ...group, members: [{ value: 'b1c794f24f4c49f4b5d503a4cb2686ea' }] } },
    },
    status: [200],
    answer: {
      schemas: [GROUP_SCHEMA],
      id: GROUP,
      displayName: 'Test SCIMv2',
      members: [{ value: 'b1c794f24f4c49f4b5d503a4cb2686ea', display: 'SCIM 2 Group A' }],
      meta: { resourceType: 'Group' },
    },
  },
  {
    what: 'renames a group',
    source: `${PAGE}, Update a specific Group name`,
    method: 'PATCH',
    path: `/Groups/${GROUP}`,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'replace', value: { id: GROUP, displayName: 'Test SCIMv2' } }],
    },
    given: { groups: { [GROUP]: { displayName: 'Before' } } },
    status: [200, 204],
    after: { [`/Groups/${GROUP}`]: { displayName: 'Test SCIMv2' } },
  },
  {
    what: 'removes a member and adds another',
    source: `${PAGE}, Update specific Group membership`,
    method: 'PATCH',
    path: `/Groups/${GROUP}`,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        { op: 'remove', path: `members[value eq "${OTHER_USER}"]` },
        { op: 'add', path: 'members', value: [{ value: USER, display: 'test.user@okta.local' }] },
      ],
    },
    given: {
      users: { [USER]: testUser, [OTHER_USER]: otherUser },
      groups: { [GROUP]: { ...group, members: [{ value: OTHER_USER }] } },
    },
    status: [200, 204],
    after: { [`/Groups/${GROUP}`]: { members: [{ value: USER }] } },
  },
  {
    what: 'replaces all members',
    source: `${PAGE}, Update specific Group membership`,
    method: 'PATCH',
    path: `/Groups/${GROUP}`,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        {
          op: 'replace',
          path: 'members',
          value: [
            { value: USER, display: 'test.user@okta.local' },
            { value: OTHER_USER, display: 'test.user@okta.local' },
          ],
        },
      ],
    },
    given: { users: { [USER]: testUser, [OTHER_USER]: otherUser }, groups: { [GROUP]: group } },
    status: [200, 204],
    // By name.
    after: { [`/Groups/${GROUP}`]: { members: [{ value: OTHER_USER }, { value: USER }] } },
  },
  {
    what: 'deletes a group',
    source: `${PAGE}, Delete a specific Group`,
    method: 'DELETE',
    path: `/Groups/${GROUP}`,
    given: { groups: { [GROUP]: group } },
    status: [204],
    after: { [`/Groups/${GROUP}`]: 404 },
  },
];

export const OKTA: readonly Trace[] = [...USERS, ...GROUPS];
