import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { BulkService, type BulkJob } from '@warren/proto/devices/v1/bulk';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import {
  BULK_ACTIONS,
  bulkJobDetailJson,
  bulkJobDetailSchema,
  bulkJobJson,
  bulkJobListSchema,
  startBulkJobBody,
  type StartBulkJobBody,
} from './bulk.schemas.ts';

/** Selecting 50,000 devices takes longer than other calls. */
const SELECT_MS = 20_000;

/** One action on many devices. */
@ApiTags('devices')
@Controller('api/devices/bulk')
export class BulkController {
  constructor(@InjectRpc(BulkService) private readonly bulk: RpcClient<typeof BulkService>) {}

  @Get()
  @Describe({ summary: 'Lists your bulk jobs, newest first.', answer: bulkJobListSchema })
  async listBulkJobs(@CurrentCaller() caller: Caller) {
    const { jobs } = await this.bulk.listBulkJobs(caller, {});
    return { jobs: jobs.map(bulkJobJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Starts an action on many devices.',
    description:
      'SuperAdmins, as for one device. Names the devices by id, or all that a filter matches. Answered once they are selected; a device that is not connected, or that you may not see or change, is a failure of the job. 409 while 2 jobs of your account are running.',
    answer: bulkJobDetailSchema,
    status: 201,
    errors: [404, 409],
  })
  async startBulkJob(@CurrentCaller() caller: Caller, @Body({ schema: startBulkJobBody }) body: StartBulkJobBody) {
    const { action, ids = [], filter = '', account: accountId, target: targetAccountId = '', at_most: atMost } = body;
    const request = { action: BULK_ACTIONS[action], ids, filter, accountId, targetAccountId, atMost };
    return detail(await this.bulk.startBulkJob(caller, request, { timeoutMs: SELECT_MS }));
  }

  @Get(':id')
  @Describe({
    summary: 'Gets the progress of a bulk job, and its failures by reason.',
    description: 'Your own, and those of others for SuperAdmins. Kept for 7 days.',
    answer: bulkJobDetailSchema,
    errors: [404],
  })
  async getBulkJob(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return detail(await this.bulk.getBulkJob(caller, { id }));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Describe({
    summary: 'Cancels a bulk job.',
    description:
      'Your own, and those of others for SuperAdmins. Devices in progress are finished, all others stay as they are. 409 for a job that is over.',
    answer: bulkJobDetailSchema,
    errors: [404, 409],
  })
  async cancelBulkJob(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return detail(await this.bulk.cancelBulkJob(caller, { id }));
  }
}

function detail({ job }: { job?: BulkJob }) {
  if (!job) throw new Fault('internal', 'The devices service answered without a job.');
  return bulkJobDetailJson(job);
}
