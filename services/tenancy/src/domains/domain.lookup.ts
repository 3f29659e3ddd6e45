import { Inject, Injectable } from '@nestjs/common';
import { recordName, recordText } from '@warren/rules/domains';
import { Resolver } from 'node:dns/promises';
import type { DomainEntity, Finding } from './domain.entity.ts';

/** The DNS servers to ask, `address` or `address:port`; none for those of the system. */
export const DNS_SERVERS = Symbol('DNS_SERVERS');

const TIMEOUT_MS = 1_500;
const DEADLINE_MS = 3_500;

/** Codes of an answer that says: there is no such record. Others say nothing about the record. */
const ABSENT: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

/** Looks up the TXT records of domains. */
@Injectable()
export class DomainLookup {
  constructor(@Inject(DNS_SERVERS) private readonly servers: readonly string[]) {}

  /** Looks up the record of a domain. Never rejects: a server that fails, or does not answer within 3.5 s, is a finding. */
  async look({ name, token }: Pick<DomainEntity, 'name' | 'token'>): Promise<Finding> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      // A record has parts of up to 255 octets (RFC 1035, section 3.3.14).
      const records = await resolver.resolveTxt(recordName(name));
      return records.some((parts) => parts.join('').trim() === recordText(token)) ? 'found' : 'different';
    } catch (error) {
      return ABSENT.includes((error as NodeJS.ErrnoException).code) ? 'absent' : 'unreachable';
    } finally {
      clearTimeout(deadline);
    }
  }
}
