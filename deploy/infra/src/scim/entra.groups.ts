import { GROUP_SCHEMA, LIST_SCHEMA, PATCH_SCHEMA, type Trace } from './trace.ts';

/** The page of {@link ENTRA_USERS}. */
const PAGE = 'https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups';

const isGroup = { schemas: [GROUP_SCHEMA], meta: { resourceType: 'Group' } };
const member = { userName: 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee@testuser.com' };

export const ENTRA_GROUPS: readonly Trace[] = [
  {
    what: 'creates a group',
    source: `${PAGE}#create-group`,
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    },
    status: [201],
    answer: {
      ...isGroup,
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      members: [],
    },
  },
  {
    what: 'reads a group without its members',
    source: `${PAGE}#get-group`,
    method: 'GET',
    path: '/Groups/40734ae655284ad3abcc?excludedAttributes=members',
    given: {
      groups: {
        '40734ae655284ad3abcc': { externalId: '60f1bb27-2e1e-402d-bcc4-ec999564a194', displayName: 'displayName' },
      },
    },
    status: [200],
    answer: { ...isGroup, externalId: '60f1bb27-2e1e-402d-bcc4-ec999564a194', displayName: 'displayName' },
  },
  {
    what: 'finds a group by the name, without its members',
    source: `${PAGE}#get-group-by-displayname`,
    method: 'GET',
    path: '/Groups?excludedAttributes=members&filter=displayName eq "displayName"',
    given: {
      groups: {
        '8c601452cc934a9ebef9': { externalId: '0db508eb-91e2-46e4-809c-30dcbda0c685', displayName: 'displayName' },
      },
    },
    status: [200],
    answer: {
      schemas: [LIST_SCHEMA],
      totalResults: 1,
      Resources: [{ ...isGroup, externalId: '0db508eb-91e2-46e4-809c-30dcbda0c685', displayName: 'displayName' }],
      startIndex: 1,
    },
  },
  {
    what: 'renames a group',
    source: `${PAGE}#update-group-non-member-attributes`,
    method: 'PATCH',
    path: '/Groups/fa2ce26709934589afc5',
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [
        {
          op: 'Replace',
          path: 'displayName',
          value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName',
        },
      ],
    },
    given: { groups: { fa2ce26709934589afc5: { displayName: 'displayName' } } },
    status: [204],
    after: {
      '/Groups/fa2ce26709934589afc5': { displayName: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' },
    },
  },
  {
    what: 'adds a member to a group',
    source: `${PAGE}#update-group-add-members`,
    method: 'PATCH',
    path: '/Groups/a99962b9f99d4c4fac67',
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'f648f8d5ea4e4cd38e9c' }] }],
    },
    given: {
      users: { f648f8d5ea4e4cd38e9c: member },
      groups: { a99962b9f99d4c4fac67: { displayName: 'displayName' } },
    },
    status: [204],
    after: { '/Groups/a99962b9f99d4c4fac67': { members: [{ value: 'f648f8d5ea4e4cd38e9c' }] } },
  },
  {
    what: 'removes a member from a group',
    source: `${PAGE}#update-group-remove-members`,
    method: 'PATCH',
    path: '/Groups/a99962b9f99d4c4fac67',
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'f648f8d5ea4e4cd38e9c' }] }],
    },
    given: {
      users: { f648f8d5ea4e4cd38e9c: member },
      groups: {
        a99962b9f99d4c4fac67: { displayName: 'displayName', members: [{ value: 'f648f8d5ea4e4cd38e9c' }] },
      },
    },
    status: [204],
    after: { '/Groups/a99962b9f99d4c4fac67': { members: [] } },
  },
  {
    what: 'deletes a group',
    source: `${PAGE}#delete-group`,
    method: 'DELETE',
    path: '/Groups/cdb1ce18f65944079d37',
    given: { groups: { cdb1ce18f65944079d37: { displayName: 'displayName' } } },
    status: [204],
    after: { '/Groups/cdb1ce18f65944079d37': 404 },
  },
];
