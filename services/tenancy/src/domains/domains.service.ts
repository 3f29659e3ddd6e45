import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { DomainFinding, DomainProof, type DomainSchema } from '@warren/proto/tenancy/v1/domains';
import { claimedDomain, DOMAIN_LIMITS } from '@warren/rules/domains';
import { randomBytes } from 'node:crypto';
import { DataSource, IsNull, Not, type EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import { check } from '../contract/check.ts';
import { unique } from '../contract/conflict.ts';
import { DomainEntity } from './domain.entity.ts';
import { domainAudited } from './domain.event.ts';
import { lockDomain } from './domain.lock.ts';
import { DomainLookup } from './domain.lookup.ts';
import { saveFinding, saveProof, takeCheck, type Place } from './domains.sql.ts';

type Message = MessageInitShape<typeof DomainSchema>;
type Answer = { domain: Message };

/** The e-mail domains of accounts. One account at most has verified a domain. */
@Injectable()
export class DomainsService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly lookup: DomainLookup,
  ) {}

  /** Lists the domains of an account, by name. @throws Fault `not_found`, `permission_denied` */
  async list(caller: Caller, { accountId }: { accountId: string }): Promise<{ domains: Message[] }> {
    requireMay(caller, 'domains.manage', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId.slice(0, 64)}.`);
    const rows = await this.source.manager.find(DomainEntity, { where: { accountId }, order: { name: 'ASC' } });
    return { domains: rows.map(message) };
  }

  /**
   * Claims a domain for an account. Several accounts may claim one, so that a claim keeps nobody out.
   * @throws Fault `permission_denied`, `not_found`, `invalid_argument`; `already_exists` for a domain that the account has, or that another
   *   has verified; `failed_precondition` when there are too many
   */
  async claim(caller: Caller, request: { accountId: string; name: string }): Promise<Answer> {
    const { accountId } = request;
    const { email } = requireMay(caller, 'domains.manage', accountId);
    const name = check('domain', claimedDomain, request.name);
    const made = this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      if ((await manager.countBy(DomainEntity, { accountId })) >= DOMAIN_LIMITS.perAccount)
        throw new Fault(
          'failed_precondition',
          `the account has ${DOMAIN_LIMITS.perAccount} domains; remove one that is no longer used.`,
        );
      if (await manager.existsBy(DomainEntity, { accountId: Not(accountId), name, verified: Not(IsNull()) }))
        throw new Fault('already_exists', owned(name));
      const token = randomBytes(20).toString('hex');
      const place = { id: uuidv7(), accountId };
      await manager.insert(DomainEntity, { ...place, name, token, createdBy: email });
      const row = await find(manager, place);
      emit(domainAudited(caller, 'domain.claim', row));
      return row;
    });
    return { domain: message(await unique('account_domains_claimed', `the account has ${name} already.`, made)) };
  }

  /**
   * Looks the record of a domain up, and verifies the domain if it is there. Without it, a verified domain stays, with a warning.
   * @throws Fault `permission_denied`, `not_found`; `resource_exhausted` within 10 s of the last check; `already_exists` for a domain of
   *   another account
   */
  async check(caller: Caller, place: Place): Promise<Answer> {
    const { email } = requireMay(caller, 'domains.manage', place.accountId);
    const taken = isPlace(place) ? await this.source.transaction((manager) => takeCheck(manager, place)) : undefined;
    if (!taken) {
      await this.source.transaction((manager) => find(manager, place));
      const seconds = DOMAIN_LIMITS.secondsBetweenChecks;
      throw new Fault(
        'resource_exhausted',
        `a domain is checked at most once every ${seconds} seconds; try again then.`,
        {
          retryAfter: seconds,
        },
      );
    }
    const finding = await this.lookup.look(taken);
    const made = this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, place.accountId, 'change');
      const before = await find(manager, place);
      const row = await saveFinding(manager, place, finding);
      if (row.lost && !before.lost) emit(domainAudited(caller, 'domain.lose', row, { finding }));
      if (finding !== 'found' || row.verified) return row;
      emit(domainAudited(caller, 'domain.verify', row, { proof: 'dns' }));
      return saveProof(manager, place, { proof: 'dns', by: email });
    });
    return { domain: message(await unique('account_domains_verified', owned(taken.name), made)) };
  }

  /**
   * Verifies a domain on the operator's word.
   * @throws Fault `permission_denied`, `not_found`; `already_exists` for a domain of another account; `failed_precondition` for a verified one
   */
  async confirm(caller: Caller, place: Place): Promise<Answer> {
    const { email } = requireMay(caller, 'domains.confirm', place.accountId);
    const made = this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, place.accountId, 'change');
      const row = await find(manager, place);
      if (row.verified) throw new Fault('failed_precondition', `${row.name} is verified already.`);
      emit(domainAudited(caller, 'domain.verify', row, { proof: 'operator' }));
      return saveProof(manager, place, { proof: 'operator', by: email });
    });
    return { domain: message(await unique('account_domains_verified', owned('the domain'), made)) };
  }

  /** Removes a domain. Its users stay. @throws Fault `permission_denied`, `not_found` */
  async remove(caller: Caller, place: Place): Promise<Record<string, never>> {
    requireMay(caller, 'domains.manage', place.accountId);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, place.accountId, 'change');
      const row = await find(manager, place);
      await manager.delete(DomainEntity, { id: row.id, accountId: row.accountId });
      emit(domainAudited(caller, 'domain.remove', row, { verified: row.verified !== null }));
      return {};
    });
  }
}

const owned = (name: string) => `${name} belongs to another account; if it is yours, ask the operator of this hub.`;

const isPlace = ({ accountId, id }: Place) => isUuid(accountId) && isUuid(id);

async function find(manager: EntityManager, place: Place): Promise<DomainEntity> {
  const row = isPlace(place) ? await lockDomain(manager, place) : undefined;
  if (!row) throw new Fault('not_found', `domain ${place.id.slice(0, 64)}.`);
  return row;
}

const PROOFS = { '': DomainProof.UNSPECIFIED, dns: DomainProof.DNS, operator: DomainProof.OPERATOR };
const FINDINGS = {
  '': DomainFinding.UNSPECIFIED,
  found: DomainFinding.FOUND,
  absent: DomainFinding.ABSENT,
  different: DomainFinding.DIFFERENT,
  unreachable: DomainFinding.UNREACHABLE,
};

function message(row: DomainEntity): Message {
  const { id, name, token, createdBy, verifiedBy, created, verified, checked, lost } = row;
  return {
    id,
    name,
    token,
    createdBy,
    verifiedBy,
    created: timestampFromDate(created),
    ...(verified && { verified: timestampFromDate(verified) }),
    ...(checked && { checked: timestampFromDate(checked) }),
    ...(lost && { lost: timestampFromDate(lost) }),
    proof: PROOFS[row.proof],
    finding: FINDINGS[row.finding],
  };
}
