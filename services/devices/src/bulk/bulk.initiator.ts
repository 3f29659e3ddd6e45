import { Injectable } from '@nestjs/common';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { subjectOfUser } from '@warren/platform/policy/subject';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status } from '@warren/proto/common/v1/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import type { BulkJobEntity } from './bulk.job.entity.ts';

/** Asks tenancy for the rights that the person who started a job has now. */
@Injectable()
export class BulkInitiator {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  /**
   * The caller as of now; undefined for a person who is disabled, deleted or in another account.
   * @throws Fault `unavailable` if tenancy does not answer
   */
  async callerOf(job: BulkJobEntity): Promise<Caller | undefined> {
    const member = await this.tenancy.resolveMember(serviceCaller('devices', job.id), { email: job.userEmail });
    const { user, operator } = member;
    if (!user || user.status !== Status.ACTIVE || user.id !== job.userId || user.accountId !== job.accountId)
      return undefined;
    if (subjectOfUser({ role: user.role, operator }) === undefined) return undefined;
    const caller = callerOfMember(member);
    return caller && userCaller(caller, job.id);
  }
}
