import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { ScimAttribute, ScimService, type ScimGroup } from '@warren/proto/tenancy/v1/scim';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { groupFields, groupPatch, type GroupFields } from './group.fields.ts';
import { GROUP_URN, groupSchema, PATCH_URN, patchSchema, scimBody } from './scim.bodies.ts';
import { SCIM_TYPE } from '../http/scim.fault.ts';
import { scimId, scimQuery } from './scim.filter.ts';
import { scimCall, ScimGuard, type ScimRequest } from './scim.guard.ts';
import { groupJson, listJson } from './scim.json.ts';

/** Groups of the token's account with the role Member, for its identity provider (RFC 7644, section 3). */
@ApiExcludeController()
@UseGuards(ScimGuard)
@Controller('scim/v2/Groups')
export class ScimGroupsController {
  private readonly hub: string;

  constructor(
    @InjectRpc(ScimService) private readonly scim: RpcClient<typeof ScimService>,
    @Inject(GATEWAY_CONFIG) { HUB_URL }: Pick<GatewayConfig, 'HUB_URL'>,
  ) {
    this.hub = HUB_URL;
  }

  @Get()
  @Header('Content-Type', SCIM_TYPE)
  async listScimGroups(@Req() request: ScimRequest, @Query() query: unknown) {
    const { caller, tokenId } = scimCall(request);
    const asked = scimQuery(query, 'Group');
    const { groups, total } = await this.scim.listScimGroups(caller, { tokenId, ...asked });
    return listJson(
      groups.map((group) => groupJson(this.hub, group, asked)),
      { total, offset: asked.offset },
    );
  }

  @Post()
  @Header('Content-Type', SCIM_TYPE)
  async createScimGroup(@Req() request: ScimRequest, @Body() body: unknown) {
    const { caller, tokenId } = scimCall(request);
    const fields = groupFields(scimBody(body, GROUP_URN, groupSchema));
    const json = this.answer((await this.scim.createScimGroup(caller, { tokenId, ...fields })).group);
    request.res?.setHeader('Location', json.meta.location);
    return json;
  }

  @Get(':id')
  @Header('Content-Type', SCIM_TYPE)
  async getScimGroup(@Req() request: ScimRequest, @Param('id') id: string, @Query() query: unknown) {
    const { caller, tokenId } = scimCall(request);
    const { withoutMembers } = scimQuery(query, 'Group');
    const asked = { attribute: ScimAttribute.ID, value: scimId(id), limit: 1, withoutMembers };
    const { groups } = await this.scim.listScimGroups(caller, { tokenId, ...asked });
    return this.answer(groups[0], withoutMembers);
  }

  @Put(':id')
  @Header('Content-Type', SCIM_TYPE)
  async replaceScimGroup(@Req() request: ScimRequest, @Param('id') id: string, @Body() body: unknown) {
    return this.answer(await this.change(request, id, groupFields(scimBody(body, GROUP_URN, groupSchema))));
  }

  /** Answers without the group, which may have many members (RFC 7644, section 3.5.2). */
  @Patch(':id')
  @HttpCode(204)
  async patchScimGroup(@Req() request: ScimRequest, @Param('id') id: string, @Body() body: unknown): Promise<void> {
    const fields = groupPatch(scimBody(body, PATCH_URN, patchSchema).operations);
    await this.change(request, id, { ...fields, withoutMembers: true });
  }

  @Delete(':id')
  @HttpCode(204)
  async deleteScimGroup(@Req() request: ScimRequest, @Param('id') id: string): Promise<void> {
    const { caller, tokenId } = scimCall(request);
    await this.scim.deleteScimGroup(caller, { tokenId, id });
  }

  private async change(request: ScimRequest, id: string, fields: GroupFields & { withoutMembers?: boolean }) {
    const { caller, tokenId } = scimCall(request);
    return (await this.scim.changeScimGroup(caller, { tokenId, id, ...fields })).group;
  }

  private answer(group: ScimGroup | undefined, withoutMembers = false) {
    if (!group) throw new Fault('not_found', 'the group.');
    return groupJson(this.hub, group, { withoutMembers });
  }
}
