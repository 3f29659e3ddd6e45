import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { invalidInput } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { GroupRulesService, type ListGroupRulesResponse } from '@warren/proto/tenancy/v1/group_rules';
import { GROUP_RULE_LIMITS } from '@warren/rules/group-rules';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { speaksFor } from '../auth/config/provider.domains.ts';
import { SignInProviders, type SignInProvider } from '../auth/entry/sign-in.providers.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  groupRulesDoneSchema,
  groupRulesJson,
  groupRulesSchema,
  setGroupRulesBody,
  type SetGroupRulesBody,
} from './group-rules.schemas.ts';

const WHO = 'SuperAdmins, and Owners for their account.';

/** The rules by which groups of identity providers map to groups of an account. */
@ApiTags('accounts')
@Controller('api/accounts/:id/group_rules')
export class GroupRulesController {
  constructor(
    @InjectRpc(GroupRulesService) private readonly rules: RpcClient<typeof GroupRulesService>,
    private readonly providers: SignInProviders,
  ) {}

  @Get()
  @Describe({
    summary: 'Lists the rules by which groups of identity providers map to groups of an account.',
    description: WHO,
    answer: groupRulesSchema,
    errors: [404],
  })
  async listGroupRules(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    return this.json(await this.list(caller, accountId));
  }

  @Put()
  @Describe({
    summary: 'Replaces the rules by which groups of identity providers map to groups of an account.',
    description: `${WHO} At most ${GROUP_RULE_LIMITS.perAccount}, each for one group of a provider. They lead to groups with the role Member that SCIM does not provision, and act at each sign-in. The users of a removed rule move to Members.`,
    answer: groupRulesDoneSchema,
    errors: [404, 409],
  })
  async setGroupRules(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: setGroupRulesBody }) { rules, version }: SetGroupRulesBody,
  ) {
    this.requireProviders(rules, await this.list(caller, accountId));
    const wanted = rules.map(({ provider, value, group: groupId }) => ({ provider, value, groupId }));
    const domains = this.domains();
    const set = await this.rules.setGroupRules(caller, { accountId, rules: wanted, version, domains });
    return { ...done('Group rules successfully set'), ...this.json(set) };
  }

  private list(caller: Caller, accountId: string): Promise<ListGroupRulesResponse> {
    return this.rules.listGroupRules(caller, { accountId, domains: this.domains() });
  }

  /** The e-mail domains of all providers. Tenancy answers which of them the account has. */
  private domains(): string[] {
    return [...new Set(this.providers.all.flatMap(({ config }) => config.domains ?? []))];
  }

  /** New rules name providers of the account. A rule that stays as it is may outlive its provider. */
  private requireProviders(rules: SetGroupRulesBody['rules'], current: ListGroupRulesResponse): void {
    const ids = new Set(this.offered(current).map(({ config }) => config.id));
    const at = rules.findIndex(
      ({ provider, value, group }) =>
        !ids.has(provider) &&
        !current.rules.some((one) => one.provider === provider && one.value === value && one.groupId === group),
    );
    if (at < 0) return;
    const message =
      'expected an identity provider that may sign in people of this account, as listGroupRules names them.';
    throw invalidInput({ field: `rules.${at}.provider`, message, value: JSON.stringify(rules[at]?.provider) });
  }

  private offered({ domains }: ListGroupRulesResponse): readonly SignInProvider[] {
    return this.providers.all.filter(({ config }) => speaksFor(config, domains));
  }

  private json(list: ListGroupRulesResponse) {
    return groupRulesJson(list, this.offered(list), (id) => this.providers.byId(id)?.config.name ?? '');
  }
}
