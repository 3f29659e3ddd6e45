import { PATCH_SCHEMA, type Trace } from './trace.ts';

/**
 * Known issues and resolutions with SCIM 2.0 protocol compliance of the Microsoft Entra user provisioning service.
 * As in MicrosoftDocs/entra-docs, docs/identity/app-provisioning, commit 0596ed57.
 * The page publishes bodies alone: the path of the resource is ours, and the statuses are those that the tutorial publishes for a PATCH.
 */
const PAGE =
  'https://learn.microsoft.com/en-us/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility';
const FLAGS = `${PAGE}#flags-to-alter-the-scim-behavior`;
const EMPLOYEE_NUMBER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber';

const user = '/Users/id-of-user';
const group = '/Groups/id-of-group';
const person = { userName: 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee@testuser.com' };
const given = { users: { 'id-of-user': person } };
/** A user with this address, as the hub changes no address (docs/scim.md). */
const at = (value: string) => ({
  users: { 'id-of-user': { userName: 'Test_User', emails: [{ value, type: 'work', primary: true }] } },
});
const groupOf = (member: string) => ({
  users: { [member]: person },
  groups: { 'id-of-group': { displayName: 'displayName', members: [{ value: member }] } },
});

const WITHOUT: readonly Trace[] = [
  {
    what: 'disables a user by a text, without the flag',
    source: FLAGS,
    method: 'PATCH',
    path: user,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    given,
    status: [200],
    after: { [user]: { active: false } },
  },
  {
    what: 'adds an attribute that is not kept, without the flag',
    source: FLAGS,
    method: 'PATCH',
    path: user,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'Add', path: 'nickName', value: 'Babs' }] },
    given,
    status: [200],
  },
  {
    what: 'replaces several attributes, without the flag',
    source: FLAGS,
    method: 'PATCH',
    path: user,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        { op: 'Replace', path: 'displayName', value: 'Pvlo' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'TestBcwqnm@test.microsoft.com' },
        { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
        { op: 'Replace', path: 'name.familyName', value: 'Pkqf' },
        { op: 'Replace', path: 'externalId', value: 'Eqpj' },
        { op: 'Replace', path: EMPLOYEE_NUMBER, value: 'Eqpj' },
      ],
    },
    given: at('TestBcwqnm@test.microsoft.com'),
    status: [200],
    after: {
      [user]: {
        displayName: 'Pvlo',
        emails: [{ value: 'TestBcwqnm@test.microsoft.com' }],
        name: { givenName: 'Gtfd', familyName: 'Pkqf' },
        externalId: 'Eqpj',
      },
    },
  },
  {
    what: 'removes a member by its value, without the flag',
    source: FLAGS,
    method: 'PATCH',
    path: group,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'Remove', path: 'members', value: [{ value: 'u1091' }] }] },
    given: groupOf('u1091'),
    status: [204],
    after: { [group]: { members: [] } },
  },
];

const WITH: readonly Trace[] = [
  {
    what: 'disables a user, with the flag',
    source: FLAGS,
    method: 'PATCH',
    path: user,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'active', value: false }] },
    given,
    status: [200],
    after: { [user]: { active: false } },
  },
  {
    what: 'adds an attribute that is not kept, with the flag',
    source: FLAGS,
    method: 'PATCH',
    path: user,
    body: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'add', path: 'nickName', value: 'Babs' }] },
    given,
    status: [200],
  },
  {
    what: 'replaces several attributes, with the flag',
    source: FLAGS,
    method: 'PATCH',
    path: user,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'TestMhvaes@test.microsoft.com' },
        {
          op: 'replace',
          value: {
            displayName: 'Bjfe',
            'name.givenName': 'Kkom',
            'name.familyName': 'Unua',
            [EMPLOYEE_NUMBER]: 'Aklq',
          },
        },
      ],
    },
    given: at('TestMhvaes@test.microsoft.com'),
    status: [200],
    after: {
      [user]: {
        displayName: 'Bjfe',
        emails: [{ value: 'TestMhvaes@test.microsoft.com' }],
        name: { givenName: 'Kkom', familyName: 'Unua' },
      },
    },
  },
  {
    what: 'removes a member by its path, with the flag',
    source: FLAGS,
    method: 'PATCH',
    path: group,
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'remove', path: 'members[value eq "7f4bc1a3-285e-48ae-8202-5accb43efb0e"]' }],
    },
    given: groupOf('7f4bc1a3-285e-48ae-8202-5accb43efb0e'),
    status: [204],
    after: { [group]: { members: [] } },
  },
];

export const ENTRA_FLAGS: readonly Trace[] = [...WITHOUT, ...WITH];
