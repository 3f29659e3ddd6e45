import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';

/** Names the accounts of events, for one answer or export. */
@Injectable()
export class AccountNames {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  /**
   * Returns a function that names accounts as the caller may see them, and asks for each once.
   * @throws from the function: Fault `unavailable` if tenancy does not answer
   */
  seenBy(caller: Caller): (ids: readonly string[]) => Promise<ReadonlyMap<string, string>> {
    const known = new Map<string, string>();
    return async (ids) => {
      const unknown = [...new Set(ids)].filter((id) => id !== '' && !known.has(id));
      if (unknown.length > 1) for (const { id, name } of await this.together(caller, unknown)) known.set(id, name);
      // One alone, deleted ones, and all of a tenancy of the version before, which answers with a page.
      const left = unknown.filter((id) => !known.has(id));
      const names = await Promise.all(left.map((id) => this.nameOf(caller, id)));
      left.forEach((id, at) => known.set(id, names[at] ?? ''));
      return known;
    };
  }

  private async together(caller: Caller, ids: readonly string[]): Promise<readonly { id: string; name: string }[]> {
    try {
      return (await this.tenancy.listAccounts(caller, { ids: [...ids] })).accounts;
    } catch (error) {
      if (error instanceof Fault && error.code === 'permission_denied') return [];
      throw error;
    }
  }

  /** @returns an empty name for an account that is deleted */
  private async nameOf(caller: Caller, id: string): Promise<string> {
    try {
      return (await this.tenancy.getAccount(caller, { id })).account?.name ?? '';
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return '';
      throw error;
    }
  }
}
