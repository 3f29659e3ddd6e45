import { ERROR_SCHEMA, LIST_SCHEMA, USER_SCHEMA, type Trace } from './trace.ts';

/**
 * Requests with which Okta checks a server, and what each must answer (Runscope).
 * As in okta/okta-developer-docs, packages/@okta/vuepress-site/.vuepress/public/standards/SCIM/SCIMFiles, commit 1018caa0.
 * Values in {{…}} are variables there; the values here are ours.
 */
const FILE = 'https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json';

const USER = 'ISVUserid';
const NAME = { givenName: 'Test', familyName: 'User' };
const user = {
  userName: 'random.user@okta.local',
  name: NAME,
  emails: [{ primary: true, value: 'random.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  active: true,
};
const error = (status: string) => ({ schemas: [ERROR_SCHEMA], status });

export const OKTA_CHECKS: readonly Trace[] = [
  {
    what: 'Required Test: Test Users endpoint',
    source: FILE,
    method: 'GET',
    path: '/Users?count=1&startIndex=1',
    given: { users: { [USER]: user } },
    status: [200],
    answer: { schemas: [LIST_SCHEMA] },
    filled: ['id', 'name.familyName', 'name.givenName', 'userName', 'active', 'emails.0.value'].map(
      (path) => `Resources.0.${path}`,
    ),
  },
  {
    what: 'Required Test: Get Users/{{id}}',
    source: FILE,
    method: 'GET',
    path: `/Users/${USER}`,
    given: { users: { [USER]: user } },
    status: [200],
    answer: { id: USER },
    filled: ['name.familyName', 'name.givenName', 'userName', 'active', 'emails.0.value'],
  },
  {
    what: 'Required Test: Test invalid User by username',
    source: FILE,
    method: 'GET',
    path: '/Users?filter=userName eq "invalid.user@okta.local"',
    status: [200],
    answer: { schemas: [LIST_SCHEMA], totalResults: 0 },
  },
  {
    what: 'Required Test: Test invalid User by ID',
    source: FILE,
    method: 'GET',
    path: '/Users/UserIdThatDoesNotExist',
    missing: 'UserIdThatDoesNotExist',
    status: [404],
    answer: { schemas: [ERROR_SCHEMA] },
    filled: ['detail'],
  },
  {
    what: 'Required Test: Create Okta user with realistic values',
    source: FILE,
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER_SCHEMA],
      userName: 'random.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'random.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      active: true,
    },
    status: [201],
    answer: { schemas: [USER_SCHEMA], userName: 'random.user@okta.local', name: NAME, active: true },
    filled: ['id'],
  },
  {
    what: 'Required Test: Expect failure when recreating user with same values',
    source: FILE,
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER_SCHEMA],
      userName: 'random.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'random.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      active: true,
    },
    given: { users: { [USER]: user } },
    status: [409],
  },
  {
    what: 'Required Test: Username Case Sensitivity Check',
    source: FILE,
    method: 'GET',
    path: '/Users?filter=userName eq "RANDOM.USER@OKTA.LOCAL"',
    given: { users: { [USER]: user } },
    status: [200],
    // The file asks for the status alone.
    answer: { totalResults: 1 },
  },
  {
    what: 'Optional Test: Verify Groups endpoint',
    source: FILE,
    method: 'GET',
    path: '/Groups',
    given: { groups: { 'id-of-group': { displayName: 'Test SCIMv2' } } },
    status: [200],
    filled: ['totalResults', 'Resources.0'],
  },
  {
    what: 'Required Test: Check status 401',
    source: FILE,
    method: 'GET',
    path: '/Users?filter=userName eq "RANDOM.USER@OKTA.LOCAL"',
    authorization: 'non-token',
    status: [401],
    answer: error('401'),
    filled: ['detail'],
  },
  {
    what: 'Required Test: Check status 404',
    source: FILE,
    method: 'GET',
    path: '/Users/00919288221112222',
    status: [404],
    answer: error('404'),
    filled: ['detail'],
  },
];
