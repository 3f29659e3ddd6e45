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
import { ScimAttribute, ScimService, type ScimUser } from '@warren/proto/tenancy/v1/scim';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { PATCH_URN, patchSchema, scimBody, USER_URN, userSchema } from './scim.bodies.ts';
import { SCIM_TYPE } from '../http/scim.fault.ts';
import { scimId, scimQuery } from './scim.filter.ts';
import { scimCall, ScimGuard, type ScimRequest } from './scim.guard.ts';
import { listJson, userJson } from './scim.json.ts';
import { userFields, userPatch, type UserFields } from './user.fields.ts';

/** Users of the token's account, for its identity provider (RFC 7644, section 3). */
@ApiExcludeController()
@UseGuards(ScimGuard)
@Controller('scim/v2/Users')
export class ScimUsersController {
  private readonly hub: string;

  constructor(
    @InjectRpc(ScimService) private readonly scim: RpcClient<typeof ScimService>,
    @Inject(GATEWAY_CONFIG) { HUB_URL }: Pick<GatewayConfig, 'HUB_URL'>,
  ) {
    this.hub = HUB_URL;
  }

  @Get()
  @Header('Content-Type', SCIM_TYPE)
  async listScimUsers(@Req() request: ScimRequest, @Query() query: unknown) {
    const { caller, tokenId } = scimCall(request);
    const asked = scimQuery(query, 'User');
    const { users, total } = await this.scim.listScimUsers(caller, { tokenId, ...asked });
    return listJson(
      users.map((user) => userJson(this.hub, user)),
      { total, offset: asked.offset },
    );
  }

  @Post()
  @Header('Content-Type', SCIM_TYPE)
  async createScimUser(@Req() request: ScimRequest, @Body() body: unknown) {
    const { caller, tokenId } = scimCall(request);
    const fields = userFields(scimBody(body, USER_URN, userSchema));
    const { user } = await this.scim.createScimUser(caller, { tokenId, ...fields });
    return this.answer(user, request);
  }

  @Get(':id')
  @Header('Content-Type', SCIM_TYPE)
  async getScimUser(@Req() request: ScimRequest, @Param('id') id: string) {
    const { caller, tokenId } = scimCall(request);
    const asked = { attribute: ScimAttribute.ID, value: scimId(id), limit: 1 };
    const { users } = await this.scim.listScimUsers(caller, { tokenId, ...asked });
    return this.answer(users[0]);
  }

  @Put(':id')
  @Header('Content-Type', SCIM_TYPE)
  async replaceScimUser(@Req() request: ScimRequest, @Param('id') id: string, @Body() body: unknown) {
    return this.change(request, id, userFields(scimBody(body, USER_URN, userSchema)));
  }

  @Patch(':id')
  @Header('Content-Type', SCIM_TYPE)
  async patchScimUser(@Req() request: ScimRequest, @Param('id') id: string, @Body() body: unknown) {
    return this.change(request, id, userPatch(scimBody(body, PATCH_URN, patchSchema).operations));
  }

  @Delete(':id')
  @HttpCode(204)
  async deleteScimUser(@Req() request: ScimRequest, @Param('id') id: string): Promise<void> {
    const { caller, tokenId } = scimCall(request);
    await this.scim.deleteScimUser(caller, { tokenId, id });
  }

  private async change(request: ScimRequest, id: string, fields: UserFields) {
    const { caller, tokenId } = scimCall(request);
    return this.answer((await this.scim.changeScimUser(caller, { tokenId, id, ...fields })).user);
  }

  /** @param created the request that made it: its answer has the address (RFC 7644, section 3.3) */
  private answer(user: ScimUser | undefined, created?: ScimRequest) {
    if (!user) throw new Fault('not_found', 'the user.');
    const json = userJson(this.hub, user);
    created?.res?.setHeader('Location', json.meta.location);
    return json;
  }
}
