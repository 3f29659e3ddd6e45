import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { GRANT_LIMITS } from '@warren/rules/grants';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import {
  accessModeBody,
  accessSchema,
  createGrantBody,
  grantAnswer,
  grantAnswerSchema,
  grantJson,
  grantListSchema,
  grantMessage,
  subjectMessage,
  updateGrantBody,
  type AccessModeBody,
  type CreateGrantBody,
  type UpdateGrantBody,
} from './access.schemas.ts';
import { accessPreviewSchema, previewQuery, type PreviewQuery } from './preview.schemas.ts';
import { PreviewService } from './preview.service.ts';

const READERS = 'Any account for operators but Members; their own for owners and admins.';
const MANAGERS = 'SuperAdmins, and Owners and Admins for their account.';

/** The access mode and the grants of an account. */
@ApiTags('access')
@Controller('api/accounts/:id')
export class AccessController {
  constructor(
    @InjectRpc(AccessService) private readonly access: RpcClient<typeof AccessService>,
    private readonly losses: PreviewService,
  ) {}

  @Get('access')
  @Describe({
    summary: 'Reads the access mode of an account.',
    description: READERS,
    answer: accessSchema,
    errors: [404],
  })
  async getAccess(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    const { explicitGrants, operator } = await this.access.getAccess(caller, { accountId });
    return { mode: explicitGrants ? 'explicit' : 'default', switchable: !operator };
  }

  @Put('access')
  @Describe({
    summary: 'Switches the access mode of an account.',
    description: `${MANAGERS} Terminals, desktops and web services that it no longer permits end within two seconds. 409 for the operator account.`,
    answer: doneSchema,
    errors: [404, 409],
  })
  async setAccessMode(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: accessModeBody }) { mode }: AccessModeBody,
  ) {
    await this.access.setAccessMode(caller, { accountId, explicitGrants: mode === 'explicit' });
    return done('access mode successfully changed');
  }

  @Get('access/preview')
  @Describe({
    summary: 'Shows what explicit grants would leave to each member and take from them, by permission.',
    description: `${READERS} Largest losses first, at most 50 members on a page.`,
    answer: accessPreviewSchema,
    errors: [404],
  })
  async previewAccess(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Query({ schema: previewQuery }) query: PreviewQuery,
  ) {
    return this.losses.preview(caller, accountId, pageRequest(query));
  }

  @Get('grants')
  @Describe({
    summary: 'Lists the grants of an account, newest first.',
    description: `${READERS} Expired grants are gone.`,
    answer: grantListSchema,
    errors: [404],
  })
  async listGrants(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    const { grants } = await this.access.getAccess(caller, { accountId });
    return { grants: grants.map(grantJson) };
  }

  @Post('grants')
  @Describe({
    summary: 'Creates a grant.',
    description: `${MANAGERS} An account has at most ${GRANT_LIMITS.perAccount}.`,
    answer: grantAnswerSchema,
    status: 201,
    errors: [404, 409],
  })
  async createGrant(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: createGrantBody }) { subject, ...body }: CreateGrantBody,
  ) {
    const request = { accountId, subject: subjectMessage(subject), content: grantMessage(body) };
    const { grant } = await this.access.createGrant(caller, request);
    if (!grant) throw new Fault('not_found', `account ${accountId}.`);
    return grantAnswer('grant successfully created', grant);
  }

  @Put('grants/:grant')
  @Describe({
    summary: 'Replaces all of a grant but its subject.',
    description: `${MANAGERS} What it no longer allows ends within two seconds.`,
    answer: grantAnswerSchema,
    errors: [404],
  })
  async updateGrant(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('grant', { schema: idSchema }) id: string,
    @Body({ schema: updateGrantBody }) body: UpdateGrantBody,
  ) {
    const { grant } = await this.access.updateGrant(caller, { accountId, id, content: grantMessage(body) });
    if (!grant) throw new Fault('not_found', `grant ${id}.`);
    return grantAnswer('grant successfully changed', grant);
  }

  @Delete('grants/:grant')
  @Describe({
    summary: 'Withdraws a grant, and ends what it allowed.',
    description: MANAGERS,
    answer: doneSchema,
    errors: [404],
  })
  async deleteGrant(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('grant', { schema: idSchema }) id: string,
  ) {
    await this.access.deleteGrant(caller, { accountId, id });
    return done('grant successfully withdrawn');
  }
}
