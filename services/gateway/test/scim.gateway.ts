import { toJson, type DescMethod, type Message } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ScimAttribute, ScimService } from '@warren/proto/tenancy/v1/scim';
import { ACCOUNT } from './gateway.ts';
import { GROUP, USER } from './scim.traces.ts';

export const TOKEN = '01997b5c-0000-7000-8000-0000000000a7';

const created = timestampFromDate(new Date('2026-03-04T10:00:00.000Z'));
const ANN = {
  id: USER,
  userName: 'Ann.Lee@acme.test',
  externalId: 'ann.lee',
  email: 'ann.lee@acme.test',
  name: 'Ann Lee',
  active: true,
  groupId: GROUP,
  groupName: 'Field team',
  created,
};
const TEAM = { id: GROUP, name: 'Field team', externalId: 'g-1', members: [{ id: USER, name: 'Ann Lee' }], created };

/**
 * Answers as tenancy does for an account with one user and one group.
 * @param note hears of each call of the gateway: its name, and its whole request as JSON
 */
export function scimTenancy(
  secret: string,
  note: (method: string, request: Record<string, unknown>) => void,
): Partial<RpcHandlers<typeof ScimService>> {
  const noted = (method: DescMethod, caller: Caller, request: Message) => {
    requireService(caller, 'gateway');
    note(method.localName, toJson(method.input, request) as Record<string, unknown>);
  };
  const { method } = ScimService;
  return {
    verifyScimToken: async (caller, request) => {
      requireService(caller, 'gateway');
      if (request.secret !== secret) throw new Fault('unauthenticated', 'the SCIM token is unknown.');
      return { tokenId: TOKEN, accountId: ACCOUNT, name: 'Entra' };
    },
    listScimUsers: async (caller, request) => {
      noted(method.listScimUsers, caller, request);
      const { attribute, value } = request;
      const isIn = attribute === ScimAttribute.UNSPECIFIED || [USER, ANN.userName, ANN.email].includes(value);
      return isIn ? { users: [ANN], total: 1 } : { users: [], total: 0 };
    },
    createScimUser: async (caller, request) => (noted(method.createScimUser, caller, request), { user: ANN }),
    changeScimUser: async (caller, request) => {
      noted(method.changeScimUser, caller, request);
      return { user: { ...ANN, active: request.active ?? true } };
    },
    deleteScimUser: async (caller, request) => (noted(method.deleteScimUser, caller, request), {}),
    listScimGroups: async (caller, request) => {
      noted(method.listScimGroups, caller, request);
      return { groups: [TEAM], total: 1 };
    },
    createScimGroup: async (caller, request) => (noted(method.createScimGroup, caller, request), { group: TEAM }),
    changeScimGroup: async (caller, request) => (noted(method.changeScimGroup, caller, request), { group: TEAM }),
    deleteScimGroup: async (caller, request) => (noted(method.deleteScimGroup, caller, request), {}),
  };
}
