import type { GroupRule, ListGroupRulesResponse } from '@warren/proto/tenancy/v1/group_rules';
import { GROUP_RULE_LIMITS, providerGroup } from '@warren/rules/group-rules';
import { providerId } from '@warren/rules/providers';
import { z } from 'zod';
import type { SignInProvider } from '../auth/entry/sign-in.providers.ts';
import { doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const RULES = `expected a list of at most ${GROUP_RULE_LIMITS.perAccount} rules`;

const provider = providerId
  .describe('Id of an identity provider that may sign in people of the account.')
  .meta({ examples: ['work'] });

const value = providerGroup.meta({
  description: 'What the provider calls the group: its name or id, compared as it is.',
  examples: ['engineering'],
});

export const setGroupRulesBody = z
  .object({
    rules: z
      .array(z.object({ provider, value, group: idSchema }), RULES)
      .max(GROUP_RULE_LIMITS.perAccount, RULES)
      .describe('All rules in their order. The first that matches a person decides.'),
    version: z
      .string()
      .max(64)
      .default('')
      .describe('What `listGroupRules` answered: 409 if the rules have changed since. Empty: replaces any rules.'),
  })
  .meta({
    id: 'SetGroupRules',
    examples: [{ rules: [{ provider: 'work', value: 'field', group: FLEET.group.id }], version: '7' }],
  });
export type SetGroupRulesBody = z.output<typeof setGroupRulesBody>;

const groupSchema = z
  .object({ id: idSchema, name: z.string() })
  .meta({ id: 'GroupRuleTarget', examples: [FLEET.group] });

const ruleSchema = z
  .object({
    id: idSchema,
    provider: z.string(),
    provider_name: z.string().describe('Empty for a provider that the hub no longer has.'),
    value: z.string(),
    group: groupSchema,
    users: z.number().int().describe('Users whom the rule has put into the group.'),
    problem: z
      .enum(['provider', 'provisioned'])
      .nullable()
      .describe(
        'Why the rule does nothing: the provider may sign in nobody of the account, or SCIM provisions the group now.',
      ),
  })
  .meta({
    id: 'GroupRule',
    examples: [
      {
        id: FLEET.id,
        provider: 'work',
        provider_name: 'Work account',
        value: 'field',
        group: FLEET.group,
        users: 4,
        problem: null,
      },
    ],
  });

const listFields = {
  rules: z.array(ruleSchema).describe('In their order.'),
  version: z.string().meta({ description: 'Identifies this list of rules.', examples: ['7'] }),
  providers: z
    .array(
      z
        .object({
          id: z.string(),
          name: z.string(),
          protocol: z.enum(['saml', 'oidc']),
          source: z
            .string()
            .describe('The attribute or claim with the groups; empty for the common attributes of SAML.'),
        })
        .meta({
          id: 'GroupRuleProvider',
          examples: [{ id: 'work', name: 'Work account', protocol: 'saml', source: 'groups' }],
        }),
    )
    .describe('The providers that rules may name.'),
  groups: z.array(groupSchema).describe('The groups that rules may lead to.'),
  members_provisioned: z
    .boolean()
    .describe('SCIM provisions the default group Members, so rules move nobody out of it.'),
};

export const groupRulesSchema = z.object(listFields).meta({ id: 'GroupRuleList' });
export const groupRulesDoneSchema = doneSchema.extend(listFields).meta({ id: 'GroupRulesDone' });

/** @param providers those that may sign in people of the account */
export function groupRulesJson(
  { rules, version, groups, homeProvisioned }: ListGroupRulesResponse,
  providers: readonly SignInProvider[],
  nameOf: (provider: string) => string,
): z.output<typeof groupRulesSchema> {
  const offered = new Set(providers.map(({ config }) => config.id));
  return {
    rules: rules.map((rule) => ({
      id: rule.id,
      provider: rule.provider,
      provider_name: nameOf(rule.provider),
      value: rule.value,
      group: { id: rule.groupId, name: rule.groupName },
      users: rule.users,
      problem: problemOf(rule, offered),
    })),
    version,
    providers: providers.map(({ config, protocol }) => ({
      id: config.id,
      name: config.name,
      protocol,
      source: 'groupsClaim' in config ? config.groupsClaim : (config.groupsAttribute ?? ''),
    })),
    groups: groups.map(({ id, name }) => ({ id, name })),
    members_provisioned: homeProvisioned,
  };
}

function problemOf({ provider, provisioned }: GroupRule, offered: ReadonlySet<string>) {
  if (!offered.has(provider)) return 'provider';
  return provisioned ? 'provisioned' : null;
}
