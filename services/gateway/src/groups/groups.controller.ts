import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Role } from '@warren/proto/common/v1/common';
import { TenancyService, type Group } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import {
  groupAnswerSchema,
  groupDeletedSchema,
  groupJson,
  groupListSchema,
  groupMadeSchema,
  groupNameJson,
  groupNamesSchema,
  listGroupsQuery,
  newGroupBody,
  type ListGroupsQuery,
  type NewGroupBody,
} from './group.schemas.ts';

@ApiTags('groups')
@Controller('api')
export class GroupsController {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  @Get('groups')
  @Describe({ summary: 'Lists groups.', answer: groupListSchema, errors: [404] })
  async listGroups(@CurrentCaller() caller: Caller, @Query({ schema: listGroupsQuery }) query: ListGroupsQuery) {
    const answer = await this.tenancy.listGroups(caller, { page: pageRequest(query), accountId: query.account });
    return { total: answer.total, groups: answer.groups.map(groupJson) };
  }

  @Get('get_groups/:account')
  @Describe({
    summary: 'Names every group of an account, for choosing.',
    description: 'SuperAdmins and operator Owners and Admins: any account; Owners and Admins: their account.',
    answer: groupNamesSchema,
    errors: [404],
  })
  async listGroupNames(@CurrentCaller() caller: Caller, @Param('account', { schema: idSchema }) accountId: string) {
    const { groups } = await this.tenancy.listGroupNames(caller, { accountId });
    return { groups: groups.map(groupNameJson) };
  }

  @Post('groups/new')
  @Describe({
    summary: 'Makes a group.',
    description: 'Names are unique within their account, whatever their case.',
    answer: groupMadeSchema,
    status: 201,
    errors: [404, 409],
  })
  async createGroup(@CurrentCaller() caller: Caller, @Body({ schema: newGroupBody }) body: NewGroupBody) {
    const { account: accountId, name } = body;
    const role = body.role === 'Admin' ? Role.ADMIN : Role.MEMBER;
    const { group } = await this.tenancy.createGroup(caller, { accountId, name, role });
    return { ...done('group successfully created'), group: groupJson(group as Group) };
  }

  @Get('groups/:id')
  @Describe({ summary: 'Reads a group.', answer: groupAnswerSchema, errors: [404] })
  async getGroup(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { group } = await this.tenancy.getGroup(caller, { id });
    return { msg: groupJson(group as Group) };
  }

  @Delete('groups/:id')
  @Describe({
    summary: 'Deletes a group.',
    description:
      'Its users and pending invitations go to the default group of the same role: Admins or Members. Default groups stay (409).',
    answer: groupDeletedSchema,
    errors: [404, 409],
  })
  async deleteGroup(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { movedTo, movedUsers } = await this.tenancy.deleteGroup(caller, { id });
    return { ...done('group successfully removed'), moved_to: movedTo, moved_users: movedUsers };
  }
}
