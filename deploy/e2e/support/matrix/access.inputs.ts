import type { Maker } from './makers.ts';
import { accessRequest, accessRules, grantBody, mark, serviceAccountBody } from './bodies.ts';

/** About an access request of another person. */
const decision =
  (values: Record<string, unknown>): Maker =>
  async (place) => ({
    values: { id: place.id, request: await place.thing('request'), ...values },
    spends: 'request',
  });

/** Right inputs for the operations about grants, access requests and service accounts. */
export const accessInputs: Record<string, Maker> = {
  listServiceAccounts: (place) => ({ values: { id: place.id } }),
  createServiceAccount: (place) => ({ values: { id: place.id, ...serviceAccountBody() } }),
  updateServiceAccount: async (place) => ({
    values: {
      id: place.id,
      service_account: await place.thing('serviceAccount'),
      description: 'Matrix',
      role: 'Member',
      status: 'Inactive',
    },
    spends: 'serviceAccount',
  }),
  createServiceAccountToken: async (place) => ({
    values: {
      id: place.id,
      service_account: await place.thing('serviceAccount'),
      name: `Matrix ${mark()}`,
      permissions: ['devices.read'],
      filter: '',
      days: 1,
    },
    spends: 'serviceAccount',
  }),
  deleteServiceAccount: async (place) => ({
    values: { id: place.id, service_account: await place.thing('serviceAccount') },
    spends: 'serviceAccount',
  }),
  getAccess: (place) => ({ values: { id: place.id } }),
  // As it is: what members see stays for other calls.
  setAccessMode: (place) => ({ values: { id: place.id, mode: 'default' } }),
  previewAccess: (place) => ({ values: { id: place.id } }),
  listGrants: (place) => ({ values: { id: place.id } }),
  createGrant: (place) => ({ values: { id: place.id, ...grantBody() } }),
  updateGrant: async (place) => ({
    values: { id: place.id, grant: await place.thing('grant'), permissions: ['view'], filter: 'site=matrix' },
  }),
  deleteGrant: async (place) => ({
    values: { id: place.id, grant: await place.thing('grant') },
    spends: 'grant',
  }),
  getAccessRules: (place) => ({ values: { id: place.id } }),
  setAccessRules: (place) => ({ values: { id: place.id, ...accessRules() } }),
  listAccessRequests: (place) => ({ values: { id: place.id } }),
  createAccessRequest: async (place) => {
    // Makes sure that the account takes requests.
    await place.thing('asker');
    return { values: { id: place.id, ...accessRequest() } };
  },
  approveAccessRequest: decision({ minutes: null, note: 'Matrix' }),
  denyAccessRequest: decision({ note: 'Matrix' }),
  withdrawAccessRequest: decision({}),
};
