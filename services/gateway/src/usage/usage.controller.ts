import { Controller, Get, Header, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { UsageService } from '@warren/proto/tenancy/v1/usage';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe, DescribeContent } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import { usageCsv, USAGE_EXAMPLE } from './usage.csv.ts';
import {
  accountMonthJson,
  accountUsageQuery,
  accountUsageSchema,
  monthUsageSchema,
  spanJson,
  stepOf,
  usageExportQuery,
  usageQuery,
  type AccountUsageQuery,
  type UsageExportQuery,
  type UsageQuery,
} from './usage.schemas.ts';

/** What accounts have used, for their bills. */
@ApiTags('usage')
@Controller('api')
export class UsageController {
  constructor(@InjectRpc(UsageService) private readonly usage: RpcClient<typeof UsageService>) {}

  @Get('accounts/:id/usage')
  @Describe({
    summary: 'Reads what an account has used, by hours, days or months in UTC.',
    description:
      'SuperAdmins and the admins of the operator for any account; owners and admins for their own. Kept for 25 months, also for an account that was deleted.',
    answer: accountUsageSchema,
    errors: [404],
  })
  async getAccountUsage(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Query({ schema: accountUsageQuery }) { from, to, step }: AccountUsageQuery,
  ) {
    const { spans } = await this.usage.getUsage(caller, { accountId, from, to, step: stepOf(step) });
    return { usage: spans.map(spanJson) };
  }

  @Get('usage')
  @Describe({
    summary: 'Lists what every account has used in a month.',
    description: 'SuperAdmins and the admins of the operator.',
    answer: monthUsageSchema,
  })
  async listUsage(
    @CurrentCaller() caller: Caller,
    @Query({ schema: usageQuery }) { month, after = '', limit }: UsageQuery,
  ) {
    const { accounts, next } = await this.usage.listUsage(caller, { month, after, limit });
    return { month, accounts: accounts.map(accountMonthJson), next: next || null };
  }

  @Get('usage/export')
  @Header('Content-Disposition', 'attachment; filename="usage.csv"')
  @DescribeContent({
    summary: 'Exports what every account has used in a month as CSV. Text that looks like a formula is defused.',
    description: 'SuperAdmins and the admins of the operator.',
    content: { 'text/csv': USAGE_EXAMPLE },
  })
  async exportUsage(@CurrentCaller() caller: Caller, @Query({ schema: usageExportQuery }) { month }: UsageExportQuery) {
    return new StreamableFile(await usageCsv(this.usage, caller, month), { type: 'text/csv; charset=utf-8' });
  }
}
