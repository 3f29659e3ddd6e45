import {
  ENTERPRISE_SCHEMA,
  ERROR_SCHEMA,
  GROUP_SCHEMA,
  LIST_SCHEMA,
  PATCH_SCHEMA,
  USER_SCHEMA,
  type Trace,
} from './trace.ts';

/**
 * Tutorial: Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID.
 * As in MicrosoftDocs/entra-docs, docs/identity/app-provisioning, commit 03cc7794.
 */
const PAGE = 'https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups';
const HANDLING = `${PAGE}#handling-provisioning-and-deprovisioning-of-users`;

const USER_NAME = 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee';
const EMAILS = [{ value: 'Test_User_11bb11bb-cc22-dd33-ee44-55ff55ff55ff@testuser.com', type: 'work', primary: true }];
const NAME = { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' };
const person = { userName: USER_NAME, name: NAME, active: true, emails: EMAILS };
const isUser = { schemas: [USER_SCHEMA], meta: { resourceType: 'User' } };
const none = { schemas: [LIST_SCHEMA], totalResults: 0, Resources: [], startIndex: 1 };

const USERS: readonly Trace[] = [
  {
    // The page describes this request: the GUID is ours.
    what: 'tests the connection with a user that does not exist',
    source: `${PAGE}#getting-started`,
    method: 'GET',
    path: '/Users?filter=userName eq "5f7a7c3e-8a52-4b0a-9d0b-6d3b2a9c1e4f"',
    status: [200],
    answer: none,
  },
  {
    what: 'creates a user',
    source: `${PAGE}#create-user`,
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: USER_NAME,
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_11bb11bb-cc22-dd33-ee44-55ff55ff55ff@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    },
    status: [201],
    answer: { ...isUser, ...person, externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef' },
  },
  {
    what: 'reads a user',
    source: `${PAGE}#get-user`,
    method: 'GET',
    path: '/Users/5d48a0a8e9f04aa38008',
    given: { users: { '5d48a0a8e9f04aa38008': { ...person, externalId: '58342554-38d6-4ec8-948c-50044d0a33fd' } } },
    status: [200],
    answer: { ...isUser, ...person, externalId: '58342554-38d6-4ec8-948c-50044d0a33fd' },
  },
  {
    what: 'reads a user that does not exist',
    source: `${PAGE}#get-user`,
    method: 'GET',
    path: '/Users/5171a35d82074e068ce2',
    missing: '5171a35d82074e068ce2',
    status: [404],
    answer: { schemas: [ERROR_SCHEMA], status: '404' },
  },
  {
    what: 'finds a user by the user name',
    source: `${PAGE}#get-user-by-query`,
    method: 'GET',
    path: `/Users?filter=userName eq "${USER_NAME}"`,
    given: { users: { '2441309d85324e7793ae': { ...person, externalId: '7fce0092-d52e-4f76-b727-3955bd72c939' } } },
    status: [200],
    answer: {
      schemas: [LIST_SCHEMA],
      totalResults: 1,
      Resources: [{ ...isUser, ...person, externalId: '7fce0092-d52e-4f76-b727-3955bd72c939' }],
      startIndex: 1,
    },
  },
  {
    what: 'finds no user by the user name',
    source: `${PAGE}#get-user-by-query---zero-results`,
    method: 'GET',
    path: '/Users?filter=userName eq "non-existent user"',
    status: [200],
    answer: none,
  },
  {
    what: 'finds a user by the address',
    source: `${PAGE}#users`,
    method: 'GET',
    path: '/Users?filter=emails[type eq "work"].value eq "user@contoso.com"',
    given: { users: { 'id-of-user': { userName: 'user@contoso.com' } } },
    status: [200],
    answer: { schemas: [LIST_SCHEMA], totalResults: 1, Resources: [{ userName: 'user@contoso.com' }] },
  },
  {
    // The user already has the address: the hub changes no address (docs/scim.md).
    what: 'changes the work address and the family name',
    source: `${PAGE}#update-user-multi-valued-properties`,
    method: 'PATCH',
    path: '/Users/6764549bef60420686bc',
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      ],
    },
    given: {
      users: {
        '6764549bef60420686bc': {
          ...person,
          externalId: '6c75de36-30fa-4d2d-a196-6bdcdb6b6539',
          emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
        },
      },
    },
    status: [200],
    answer: {
      ...isUser,
      externalId: '6c75de36-30fa-4d2d-a196-6bdcdb6b6539',
      userName: USER_NAME,
      name: { formatted: 'givenName updatedFamilyName', familyName: 'updatedFamilyName', givenName: 'givenName' },
      active: true,
      emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
    },
  },
  {
    what: 'changes the user name',
    source: `${PAGE}#update-user-single-valued-properties`,
    method: 'PATCH',
    path: '/Users/5171a35d82074e068ce2',
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'Replace', path: 'userName', value: '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com' }],
    },
    given: { users: { '5171a35d82074e068ce2': { ...person, externalId: 'aa1eca08-7179-4eeb-a0be-a519f7e5cd1a' } } },
    status: [200],
    answer: {
      ...isUser,
      ...person,
      externalId: 'aa1eca08-7179-4eeb-a0be-a519f7e5cd1a',
      userName: '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com',
    },
  },
  {
    // The page's answer has another address than the user name; here the user name is the address.
    what: 'disables a user',
    source: `${PAGE}#disable-user`,
    method: 'PATCH',
    path: '/Users/5171a35d82074e068ce2',
    body: { Operations: [{ op: 'Replace', path: 'active', value: false }], schemas: [PATCH_SCHEMA] },
    given: {
      users: {
        '5171a35d82074e068ce2': {
          userName: 'deanruiz@testuser.com',
          name: { familyName: 'Harris', givenName: 'Larry' },
        },
      },
    },
    status: [200],
    answer: {
      schemas: [USER_SCHEMA],
      userName: 'deanruiz@testuser.com',
      name: { familyName: 'Harris', givenName: 'Larry' },
      active: false,
    },
  },
  {
    what: 'deletes a user',
    source: `${PAGE}#delete-user`,
    method: 'DELETE',
    path: '/Users/5171a35d82074e068ce2',
    given: { users: { '5171a35d82074e068ce2': person } },
    status: [204],
    after: { '/Users/5171a35d82074e068ce2': 404 },
  },
];

/** Examples of the section on users. It publishes no answers: the statuses are those of the requests above. */
const EXAMPLES: readonly Trace[] = [
  {
    // The page leaves the quotes out, which RFC 7644 (section 3.4.2.2) asks for.
    what: 'finds a user by the external id',
    source: `${HANDLING} (example 1)`,
    method: 'GET',
    path: '/Users?filter=externalId eq "jyoung"',
    given: { users: { 'id-of-jyoung': { userName: 'jyoung@testuser.com', externalId: 'jyoung' } } },
    status: [200],
    answer: { totalResults: 1, Resources: [{ externalId: 'jyoung' }] },
  },
  {
    what: 'creates a user with attributes that are null',
    source: `${HANDLING} (example 2)`,
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER_SCHEMA, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0User'],
      externalId: 'jyoung',
      userName: 'jyoung@testuser.com',
      active: true,
      addresses: null,
      displayName: 'Joy Young',
      emails: [{ type: 'work', value: 'jyoung@Contoso.com', primary: true }],
      meta: { resourceType: 'User' },
      name: { familyName: 'Young', givenName: 'Joy' },
      phoneNumbers: null,
      preferredLanguage: null,
      title: null,
      department: null,
      manager: null,
    },
    status: [201],
    answer: {
      userName: 'jyoung@testuser.com',
      externalId: 'jyoung',
      displayName: 'Joy Young',
      name: { familyName: 'Young', givenName: 'Joy' },
    },
  },
  {
    what: 'sets the manager of a user, which is not kept',
    source: `${HANDLING} (example 5)`,
    method: 'PATCH',
    path: '/Users/a0a0a0a0-bbbb-cccc-dddd-e1e1e1e1e1e1',
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        {
          op: 'Add',
          path: 'manager',
          value: [
            {
              $ref: 'http://.../scim/Users/00aa00aa-bb11-cc22-dd33-44ee44ee44ee',
              value: '00aa00aa-bb11-cc22-dd33-44ee44ee44ee',
            },
          ],
        },
      ],
    },
    given: { users: { 'a0a0a0a0-bbbb-cccc-dddd-e1e1e1e1e1e1': person } },
    status: [200, 204],
  },
  {
    what: 'discovers the schemas',
    source: `${PAGE}#discover-schema`,
    method: 'GET',
    path: '/Schemas',
    status: [200],
    // Without the extension for enterprises, of which Warren keeps nothing.
    answer: {
      schemas: [LIST_SCHEMA],
      startIndex: 1,
      Resources: [
        { id: USER_SCHEMA, name: 'User', meta: { resourceType: 'Schema' } },
        { id: GROUP_SCHEMA, name: 'Group', meta: { resourceType: 'Schema' } },
      ],
    },
  },
];

export const ENTRA_USERS: readonly Trace[] = [...USERS, ...EXAMPLES];
