import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AuditService, type RetentionResponse } from '@warren/proto/audit/v1/audit';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  createMessage,
  createStreamBody,
  listStreamsQuery,
  retentionQuery,
  retentionSchema,
  setRetentionBody,
  streamAnswerSchema,
  streamJson,
  streamListSchema,
  streamSecretSchema,
  streamTestSchema,
  updateMessage,
  updateStreamBody,
  type CreateStreamBody,
  type ListStreamsQuery,
  type RetentionQuery,
  type SetRetentionBody,
  type UpdateStreamBody,
} from './stream.schemas.ts';

const WHO = 'SuperAdmins; Owners for their account.';
/** Longer than an attempt may take. */
const TEST_TIMEOUT_MS = 20_000;

/** Where audit events are streamed to, and how long they are kept. */
@ApiTags('audit')
@Controller('api/audit')
export class AuditStreamsController {
  constructor(
    @InjectRpc(AuditService) private readonly audit: RpcClient<typeof AuditService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  @Get('streams')
  @Describe({ summary: 'Lists streams of audit events.', description: WHO, answer: streamListSchema, errors: [404] })
  async listAuditStreams(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listStreamsQuery }) { account: accountId, scope }: ListStreamsQuery,
  ) {
    const { streams, files } = await this.audit.listStreams(caller, { accountId, all: scope === 'all' });
    return { streams: streams.map(streamJson), files };
  }

  @Post('streams')
  @Describe({
    summary: 'Creates a stream of audit events, which starts with the next event.',
    description: `${WHO} At most 5 for an account. The answer has the signing secret of a webhook, which is not shown again.`,
    answer: streamSecretSchema,
    status: 201,
    errors: [404, 409, 429],
  })
  async createAuditStream(@CurrentCaller() caller: Caller, @Body({ schema: createStreamBody }) body: CreateStreamBody) {
    if (body.account) await this.tenancy.getAccount(caller, { id: body.account });
    const { stream, secret } = await this.audit.createStream(caller, createMessage(body));
    if (!stream) throw new Fault('not_found', `audit stream ${body.name}.`);
    return { ...done('stream successfully created'), result: streamJson(stream), secret: secret || null };
  }

  @Patch('streams/:id')
  @Describe({
    summary: 'Changes, pauses or resumes a stream of audit events.',
    description: `${WHO} What is left out stays as it is; \`actions\` and \`outcomes\` are changed together. A paused stream resumes where it was.`,
    answer: streamAnswerSchema,
    errors: [404, 409, 429],
  })
  async updateAuditStream(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: updateStreamBody }) body: UpdateStreamBody,
  ) {
    const { stream } = await this.audit.updateStream(caller, updateMessage(id, body));
    if (!stream) throw new Fault('not_found', `audit stream ${id}.`);
    return { ...done('stream successfully changed'), result: streamJson(stream) };
  }

  @Delete('streams/:id')
  @Describe({ summary: 'Deletes a stream of audit events.', description: WHO, answer: doneSchema, errors: [404] })
  async deleteAuditStream(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.audit.deleteStream(caller, { id });
    return done('stream successfully deleted');
  }

  @Post('streams/:id/test')
  @HttpCode(200)
  @Describe({
    summary: 'Sends a test message to the receiver of a stream, and waits for the outcome.',
    description: `${WHO} One every 10 seconds.`,
    answer: streamTestSchema,
    errors: [404, 429],
  })
  async testAuditStream(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { delivered, reason } = await this.audit.testStream(caller, { id }, { timeoutMs: TEST_TIMEOUT_MS });
    return { delivered, reason: reason || null };
  }

  @Post('streams/:id/rotate-secret')
  @HttpCode(200)
  @Describe({
    summary: 'Replaces the signing secret of a webhook.',
    description: `${WHO} For 24 hours each request has a signature by the former secret as well. The new one is not shown again.`,
    answer: streamSecretSchema,
    errors: [404, 409, 429],
  })
  async rotateAuditStreamSecret(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { stream, secret } = await this.audit.rotateStreamSecret(caller, { id });
    if (!stream) throw new Fault('not_found', `audit stream ${id}.`);
    return { ...done('secret successfully replaced'), result: streamJson(stream), secret: secret || null };
  }

  @Get('retention')
  @Describe({
    summary: 'Reads how long the audit events of an account are kept.',
    description: 'SuperAdmins and the admins of the operator; owners and admins for their account.',
    answer: retentionSchema,
    errors: [404],
  })
  async getAuditRetention(
    @CurrentCaller() caller: Caller,
    @Query({ schema: retentionQuery }) { account }: RetentionQuery,
  ) {
    return retentionJson(await this.audit.getRetention(caller, { accountId: accountOf(caller, account) }));
  }

  @Put('retention')
  @Describe({
    summary: 'Sets how long the audit events of an account are kept.',
    description: `${WHO} Events of the last 28 days are always kept.`,
    answer: retentionSchema,
    errors: [404],
  })
  async setAuditRetention(@CurrentCaller() caller: Caller, @Body({ schema: setRetentionBody }) body: SetRetentionBody) {
    const accountId = accountOf(caller, body.account);
    if (body.account) await this.tenancy.getAccount(caller, { id: accountId });
    const months = body.months === null ? {} : { months: body.months };
    return retentionJson(await this.audit.setRetention(caller, { accountId, ...months }));
  }
}

const accountOf = (caller: Caller, account: string | undefined) => account ?? requireUser(caller).accountId;

function retentionJson({ months, defaultMonths }: RetentionResponse) {
  return { months: months ?? null, defaultMonths };
}
