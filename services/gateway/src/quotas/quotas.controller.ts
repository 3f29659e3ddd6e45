import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService, type AccountQuota } from '@warren/proto/tenancy/v1/tenancy';
import { isQuotaName } from '@warren/rules/quotas';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  quotaChanges,
  quotaJson,
  quotasAnswerSchema,
  quotasBody,
  quotasChangedSchema,
  type QuotasBody,
} from './quota.schemas.ts';
import { QuotaUse } from './quota.use.ts';

/** What an account may have, and what it has. */
@ApiTags('accounts')
@Controller('api/accounts/:id/quotas')
export class QuotasController {
  constructor(
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    private readonly use: QuotaUse,
  ) {}

  @Get()
  @Describe({
    summary: 'Reads the quotas of an account and their use.',
    description: 'Any account for operators; their own for owners and admins.',
    answer: quotasAnswerSchema,
    errors: [404],
  })
  async getQuotas(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    const { quotas } = await this.tenancy.getQuotas(caller, { accountId });
    return { result: await this.shown(caller, accountId, quotas) };
  }

  @Patch()
  @Describe({
    summary: 'Sets quotas of an account.',
    description:
      'SuperAdmins; not for the operator account (409), which has none. A limit below the present use refuses what is added and takes nothing away.',
    answer: quotasChangedSchema,
    errors: [404, 409],
  })
  async setQuotas(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: quotasBody }) body: QuotasBody,
  ) {
    const { quotas } = await this.tenancy.setQuotas(caller, { accountId, changes: quotaChanges(body) });
    return { ...done('quotas successfully changed'), result: await this.shown(caller, accountId, quotas) };
  }

  private async shown(caller: Caller, accountId: string, quotas: readonly AccountQuota[]) {
    const uses = quotas.length > 0 ? await this.use.of(caller, accountId) : {};
    return {
      quotas: quotas.flatMap(({ name, ...quota }) => (isQuotaName(name) ? [quotaJson({ name, ...quota }, uses)] : [])),
    };
  }
}
