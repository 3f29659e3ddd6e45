import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { ResolveMemberResponseSchema } from '@warren/proto/tenancy/v1/tenancy';
import { quotasMessage } from '@warren/platform/quotas/quotas';
import { Status } from '@warren/proto/common/v1/common';
import type { ProviderGroups, ProviderIdentity } from '@warren/proto/tenancy/v1/tenancy';
import { readEmail } from '@warren/rules/emails';
import { GROUP_RULE_LIMITS } from '@warren/rules/group-rules';
import { isServiceAccountHandle } from '@warren/rules/service-accounts';
import { limitsWith, type QuotaLimits } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import { grantsOf } from '../access/grant.messages.ts';
import { invalid } from '../contract/check.ts';
import { statusOf } from '../contract/enums.ts';
import { userChanged } from '../events/tenancy.event.ts';
import { GroupAssignment } from '../group-rules/group.assignment.ts';
import { hasRules } from '../group-rules/group.rules.sql.ts';
import { recentSignInMessage } from '../requests/request.messages.ts';
import { DEFAULT_RULES } from '../requests/rules.sql.ts';
import { QUOTA_DEFAULTS } from '../quotas/quota.defaults.ts';
import { isUsedUp } from '../quotas/traffic.ts';
import { bind, isBoundTo } from '../users/binding.ts';
import { personName } from '../users/person-name.ts';
import { UserEntity } from '../users/user.entity.ts';
import { asUser, type UserRow } from '../users/user.row.ts';
import { MemberVersion } from './member.version.ts';
import { goodInvitationOf, memberOf, serviceAccountOf, type MemberRow } from './members.sql.ts';

type Member = MessageInitShape<typeof ResolveMemberResponseSchema>;

interface Question {
  email: string;
  name: string;
  /** Of the session; not given by who knows the user from a session that was checked. */
  identity?: Pick<ProviderIdentity, 'provider' | 'subject'>;
  /** Whether it is a sign-in, which binds. */
  bind?: boolean;
  /** The groups that the provider stated. */
  groups?: Pick<ProviderGroups, 'values' | 'problem'>;
}

/** Who a signed-in e-mail is here. */
@Injectable()
export class MembersService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(QUOTA_DEFAULTS) private readonly defaults: QuotaLimits,
    private readonly version: MemberVersion,
    private readonly assignment: GroupAssignment,
  ) {}

  /**
   * For the gateway's session guard and sign-in, and for tunnels and identity, which look again whether what was opened may stay open. A user of an
   * inactive account counts as inactive. Without a user: the newest good invitation, if any. At the first sign-in the identity provider's
   * name becomes the user's, and the user is bound to the identity; another identity with the address is nobody. If the provider stated groups,
   * the rules of the account decide the group of the user.
   * @throws Fault `invalid_argument` for more or longer groups than one sign-in may have
   */
  async resolve(caller: Caller, input: Question): Promise<Member> {
    requireService(caller, 'devices', 'gateway', 'identity', 'tunnels');
    requireBounded(input.groups?.values ?? []);
    const email = readEmail(input.email);
    if (email === undefined) return {};
    if (isServiceAccountHandle(email)) return this.program(email, input);
    const row = await memberOf(this.source, email);
    if (!row) return this.invited(email);
    if (!(await this.isWhoTheyWere(row, input))) return { identityMismatch: true };
    const name = row.name || personName(input.name);
    if (name !== row.name) await this.nameUser(row, name);
    return this.mapped(caller, { ...row, name }, input);
  }

  /** Applies the rules of the account to a person who signs in; in a trial, only says what they would do. */
  private async mapped(caller: Caller, row: MemberRow, { identity, bind: signsIn, groups }: Question): Promise<Member> {
    if (!identity || !groups) {
      const rules = identity && signsIn && { groupRules: await hasRules(this.source, row.account_id) };
      return { ...this.memberOf(row), ...rules };
    }
    const stated = { provider: identity.provider, groups };
    if (!signsIn) return { ...this.memberOf(row), groupMapping: await this.assignment.preview(row, stated) };
    const groupMapping = await this.assignment.apply(caller, row, stated);
    // This sign-in moved the user, or another one at the same time.
    const isMoved = groupMapping.groupAfter !== row.group_name;
    const moved = isMoved ? await memberOf(this.source, row.email) : row;
    return moved ? { ...this.memberOf(moved), groupMapping } : {};
  }

  /** A service account. It has tokens alone: a provider that states its handle signs nobody in. */
  private async program(handle: string, { identity }: Question): Promise<Member> {
    if (identity) return { identityMismatch: true };
    const row = await serviceAccountOf(this.source, handle);
    return row ? { ...this.memberOf(row), serviceAccount: true } : {};
  }

  private memberOf(row: MemberRow): Member {
    const status = row.account_status === 'Active' ? statusOf(row.status) : Status.INACTIVE;
    const rules = row.access_rules ?? DEFAULT_RULES;
    return {
      user: { ...asUser(row), status },
      accountStatus: statusOf(row.account_status),
      operator: row.operator,
      explicitGrants: row.explicit_grants,
      grants: grantsOf(row),
      recentSignIn: recentSignInMessage(rules),
      accessRequests: rules.requests,
      guestLinks: rules.guest_links,
      ...(row.operator ? {} : { quotas: this.quotasOf(row) }),
    };
  }

  private quotasOf({ quotas, traffic }: MemberRow) {
    const limits = limitsWith(quotas, this.defaults);
    return quotasMessage(limits, isUsedUp(limits.traffic, traffic) ? ['traffic'] : []);
  }

  private async isWhoTheyWere(row: UserRow, { identity, bind: signsIn }: Question): Promise<boolean> {
    if (!identity) return true;
    if (!signsIn) return isBoundTo(row, identity);
    const bound = await bind(this.source.manager, row, identity);
    // Sessions of other identities with this address are nobody's from now on.
    const isNew = row.provider !== identity.provider || row.subject !== identity.subject;
    if (bound && isNew) await this.version.renew();
    return bound;
  }

  private async invited(email: string): Promise<Member> {
    const row = await goodInvitationOf(this.source, email);
    if (!row) return {};
    const { id, account_id: accountId, account_name: accountName } = row;
    return { accountStatus: statusOf(row.status), invitation: { id, accountId, accountName } };
  }

  private async nameUser(row: UserRow, name: string): Promise<void> {
    await this.outbox.transaction(async (manager, emit) => {
      const { id, account_id: accountId } = row;
      const { affected } = await manager.update(UserEntity, { id, accountId, name: '' }, { name });
      if (affected) emit(userChanged({ ...row, accountId }));
    });
  }
}

function requireBounded(groups: readonly string[]): void {
  const { received, value } = GROUP_RULE_LIMITS;
  if (groups.length > received) throw invalid('groups.values', `expected at most ${received} groups.`);
  const at = groups.findIndex(({ length }) => length > value);
  if (at >= 0) throw invalid(`groups.values.${at}`, `expected at most ${value} characters.`, groups[at]);
}
