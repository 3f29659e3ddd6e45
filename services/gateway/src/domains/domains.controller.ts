import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DomainsService, type Domain } from '@warren/proto/tenancy/v1/domains';
import { DOMAIN_LIMITS } from '@warren/rules/domains';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  claimDomainBody,
  domainDoneSchema,
  domainJson,
  domainListSchema,
  type ClaimDomainBody,
} from './domain.schemas.ts';

const WHO = 'SuperAdmins, and Owners for their account.';
const FOREIGN = '409 if another account owns the domain.';

/** The e-mail domains of accounts. */
@ApiTags('accounts')
@Controller('api/accounts/:id/domains')
export class DomainsController {
  constructor(@InjectRpc(DomainsService) private readonly domains: RpcClient<typeof DomainsService>) {}

  @Get()
  @Describe({
    summary: 'Lists the e-mail domains of an account.',
    description: WHO,
    answer: domainListSchema,
    errors: [404],
  })
  async listDomains(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    const { domains } = await this.domains.listDomains(caller, { accountId });
    return { domains: domains.map(domainJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Claims an e-mail domain for an account, and makes the TXT record that proves it.',
    description: `${WHO} An account has at most ${DOMAIN_LIMITS.perAccount}. ${FOREIGN}`,
    answer: domainDoneSchema,
    status: 201,
    errors: [404, 409],
  })
  async claimDomain(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: claimDomainBody }) { domain: name }: ClaimDomainBody,
  ) {
    const { domain } = await this.domains.claimDomain(caller, { accountId, name });
    return { ...done('Domain successfully claimed'), result: resultOf(domain) };
  }

  @Post(':domain/check')
  @HttpCode(200)
  @Describe({
    summary: 'Looks the TXT record of a domain up, and verifies the domain if it is there.',
    description: `${WHO} A domain is checked at most once every ${DOMAIN_LIMITS.secondsBetweenChecks} seconds. A verified domain stays verified. ${FOREIGN}`,
    answer: domainDoneSchema,
    errors: [404, 409, 429],
  })
  async checkDomain(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('domain', { schema: idSchema }) id: string,
  ) {
    const { domain } = await this.domains.checkDomain(caller, { accountId, id });
    return { ...done('Domain successfully checked'), result: resultOf(domain) };
  }

  @Post(':domain/confirm')
  @HttpCode(200)
  @Describe({
    summary: 'Verifies a domain without its TXT record.',
    description: `SuperAdmins. 409 for a verified domain. ${FOREIGN}`,
    answer: domainDoneSchema,
    errors: [404, 409],
  })
  async confirmDomain(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('domain', { schema: idSchema }) id: string,
  ) {
    const { domain } = await this.domains.confirmDomain(caller, { accountId, id });
    return { ...done('Domain successfully confirmed'), result: resultOf(domain) };
  }

  @Delete(':domain')
  @Describe({
    summary: 'Removes a domain from an account; its users stay.',
    description: WHO,
    answer: doneSchema,
    errors: [404],
  })
  async removeDomain(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('domain', { schema: idSchema }) id: string,
  ) {
    await this.domains.removeDomain(caller, { accountId, id });
    return done('Domain successfully removed');
  }
}

function resultOf(domain: Domain | undefined) {
  if (!domain) throw new Fault('internal', 'The tenancy service answered without a domain.');
  return domainJson(domain);
}
