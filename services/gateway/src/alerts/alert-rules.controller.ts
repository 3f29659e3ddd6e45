import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  changeRuleBody,
  contentMessage,
  createRuleBody,
  previewRuleBody,
  ruleAnswerSchema,
  ruleJson,
  ruleListSchema,
  rulePreviewSchema,
  type ChangeRuleBody,
  type CreateRuleBody,
  type PreviewRuleBody,
} from './alert-rules.schemas.ts';
import { ofAccountQuery, type OfAccountQuery } from './alerts.schemas.ts';

/** When alerts open. */
@ApiTags('alerts')
@Controller('api/alert-rules')
export class AlertRulesController {
  constructor(@InjectRpc(AlertsService) private readonly alerts: RpcClient<typeof AlertsService>) {}

  @Get()
  @Describe({
    summary: 'Lists the rules of alerts.',
    description: 'Every account has the default rules from its first device on.',
    answer: ruleListSchema,
    errors: [404],
  })
  async listAlertRules(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ofAccountQuery }) { account: accountId }: OfAccountQuery,
  ) {
    const { rules } = await this.alerts.listAlertRules(caller, { accountId });
    return { rules: rules.map(ruleJson) };
  }

  @Post()
  @Describe({
    summary: 'Adds a rule.',
    description: 'SuperAdmins anywhere; Owners and Admins in their account. At most 50 in an account.',
    answer: ruleAnswerSchema,
    status: 201,
    errors: [404, 409],
  })
  async createAlertRule(@CurrentCaller() caller: Caller, @Body({ schema: createRuleBody }) body: CreateRuleBody) {
    const { account: accountId, ...content } = body;
    const { rule } = await this.alerts.createAlertRule(caller, { accountId, rule: contentMessage(content) });
    if (!rule) throw new Fault('not_found', `alert rule ${body.name}.`);
    return { ...done('alert rule successfully added'), result: ruleJson(rule) };
  }

  @Post('preview')
  @HttpCode(200)
  @Describe({
    summary: 'Counts the devices that a rule would be about.',
    answer: rulePreviewSchema,
    errors: [404],
  })
  async previewAlertRule(@CurrentCaller() caller: Caller, @Body({ schema: previewRuleBody }) body: PreviewRuleBody) {
    const { account: accountId, ...content } = body;
    const { matching, now } = await this.alerts.previewAlertRule(caller, { accountId, rule: contentMessage(content) });
    return { matching, ...(now !== undefined && { now }) };
  }

  @Patch(':id')
  @Describe({
    summary: 'Changes a rule.',
    description:
      'What is absent stays. Alerts that the rule no longer holds for are closed within a minute; those of a disabled rule at once.',
    answer: ruleAnswerSchema,
    errors: [404, 409],
  })
  async changeAlertRule(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: changeRuleBody }) body: ChangeRuleBody,
  ) {
    const { rule } = await this.alerts.updateAlertRule(caller, { id, rule: contentMessage(body) });
    if (!rule) throw new Fault('not_found', `alert rule ${id}.`);
    return { ...done('alert rule successfully changed'), result: ruleJson(rule) };
  }

  @Delete(':id')
  @Describe({
    summary: 'Deletes a rule and closes its alerts.',
    description: 'Not a default rule (409), which can be disabled.',
    answer: doneSchema,
    errors: [404, 409],
  })
  async deleteAlertRule(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.alerts.deleteAlertRule(caller, { id });
    return done('alert rule successfully deleted');
  }
}
