import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { permissionsOf } from '@warren/platform/policy/permission.names';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { AccessRequestsService, type AccessRequest } from '@warren/proto/tenancy/v1/requests';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import {
  approveBody,
  createRequestBody,
  denyBody,
  requestAnswer,
  requestAnswerSchema,
  requestJson,
  requestListQuery,
  requestListSchema,
  rulesJson,
  rulesMessage,
  rulesSchema,
  setRulesBody,
  type ApproveBody,
  type CreateRequestBody,
  type DenyBody,
  type RequestListQuery,
  type SetRulesBody,
} from './requests.schemas.ts';

const APPROVERS =
  'Approvers of the account: those of its group of approvers, else Owner and Admins. Never about their own request, and not by an API token. ' +
  '403 `recent_sign_in_required` if they have not signed in lately.';
const { openPerPerson, openPerAccount, hours } = ACCESS_REQUEST_LIMITS;

/** Access requests of an account, and its rules about them and about recent sign-ins. */
@ApiTags('access')
@Controller('api/accounts/:id/access')
export class AccessRequestsController {
  constructor(
    @InjectRpc(AccessRequestsService) private readonly requests: RpcClient<typeof AccessRequestsService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
  ) {}

  @Get('rules')
  @Describe({
    summary: 'Reads the rules of an account about access requests and recent sign-ins.',
    answer: rulesSchema,
    errors: [404],
  })
  async getAccessRules(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    return rulesJson((await this.requests.getAccessRules(caller, { accountId })).rules);
  }

  @Put('rules')
  @Describe({
    summary: 'Replaces the rules of an account about access requests and recent sign-ins.',
    description:
      'SuperAdmins, and Owners and Admins for their account. Once a switch is on, a change needs a recent sign-in itself.',
    answer: rulesSchema,
    errors: [404],
  })
  async setAccessRules(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: setRulesBody }) body: SetRulesBody,
  ) {
    return rulesJson((await this.requests.setAccessRules(caller, { accountId, rules: rulesMessage(body) })).rules);
  }

  @Get('requests')
  @Describe({
    summary: 'Lists access requests, newest first.',
    description: 'All of the account for its approvers and for readers of its grants; their own for others.',
    answer: requestListSchema,
    errors: [404],
  })
  async listAccessRequests(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Query({ schema: requestListQuery }) { state, ...query }: RequestListQuery,
  ) {
    const of = { accountId, open: state === 'open', page: pageRequest(query) };
    const { requests, total, toDecide } = await this.requests.listAccessRequests(caller, of);
    return { total, to_decide: toDecide, requests: requests.map(requestJson) };
  }

  @Post('requests')
  @Describe({
    summary: 'Asks for access to devices for some time.',
    description:
      `For people of the account, about a device that they see or those of a filter. Approvers get a mail; after ${hours} hours without a decision it expires. ` +
      `409 if the account takes no requests, or ${openPerPerson} of yours or ${openPerAccount} of the account are open.`,
    answer: requestAnswerSchema,
    status: 201,
    errors: [404, 409, 429],
  })
  async createAccessRequest(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: createRequestBody }) { device, filter = '', permissions, ...wanted }: CreateRequestBody,
  ) {
    const about = device === undefined ? { filter } : await this.oneDevice(caller, accountId, device);
    const content = { ...about, permissions: permissionsOf(permissions), ...wanted };
    const { request } = await this.requests.createAccessRequest(caller, { accountId, ...content });
    return requestAnswer('access request successfully created', found(request, accountId));
  }

  @Post('requests/:request/approve')
  @HttpCode(200)
  @Describe({
    summary: 'Approves an access request.',
    description: `${APPROVERS} The last approval that is needed creates a grant, which ends by itself. 409 if it was decided before.`,
    answer: requestAnswerSchema,
    errors: [404, 409],
  })
  async approveAccessRequest(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('request', { schema: idSchema }) id: string,
    @Body({ schema: approveBody }) { minutes, note }: ApproveBody,
  ) {
    const decision = { accountId, id, approve: true, minutes: minutes ?? 0, note };
    const { request } = await this.requests.decideAccessRequest(caller, decision);
    return requestAnswer('access request successfully approved', found(request, id));
  }

  @Post('requests/:request/deny')
  @HttpCode(200)
  @Describe({
    summary: 'Denies an access request.',
    description: `${APPROVERS} 409 if it was decided before.`,
    answer: requestAnswerSchema,
    errors: [404, 409],
  })
  async denyAccessRequest(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('request', { schema: idSchema }) id: string,
    @Body({ schema: denyBody }) { note }: DenyBody,
  ) {
    const { request } = await this.requests.decideAccessRequest(caller, { accountId, id, approve: false, note });
    return requestAnswer('access request successfully denied', found(request, id));
  }

  @Post('requests/:request/withdraw')
  @HttpCode(200)
  @Describe({
    summary: 'Withdraws an open access request of your own.',
    description: '409 if it was decided before. A grant that was approved is withdrawn as other grants are.',
    answer: requestAnswerSchema,
    errors: [404, 409],
  })
  async withdrawAccessRequest(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('request', { schema: idSchema }) id: string,
  ) {
    const { request } = await this.requests.withdrawAccessRequest(caller, { accountId, id });
    return requestAnswer('access request successfully withdrawn', found(request, id));
  }

  /** @throws Fault `not_found` for a device of another account, or that the caller may not view */
  private async oneDevice(caller: Caller, accountId: string, id: string) {
    const { device } = await this.devices.getDevice(caller, { id });
    if (device?.accountId !== accountId) throw new Fault('not_found', `device ${id}.`);
    return { filter: `id=${id}`, deviceId: id, deviceName: device.customName || device.name };
  }
}

function found(request: AccessRequest | undefined, id: string): AccessRequest {
  if (!request) throw new Fault('not_found', `access request ${id}.`);
  return request;
}
