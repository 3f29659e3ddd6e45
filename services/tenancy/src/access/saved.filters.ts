import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { requireService, serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { FilterUseKind, type ListFilterUsesResponseSchema } from '@warren/proto/common/v1/common';
import { SavedFiltersService } from '@warren/proto/devices/v1/filters';
import { namesSaved } from '@warren/rules/filter/expand';
import { parseFilter } from '@warren/rules/filter/parse';
import { unfitForGrants } from '@warren/rules/grants';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { invalid } from '../contract/check.ts';
import { readNaming } from './access.sql.ts';

/** The account is locked meanwhile. */
const TIMEOUT_MS = 2_000;

/** The saved filters of accounts that grants name. */
@Injectable()
export class SavedFilters {
  constructor(
    private readonly source: DataSource,
    @InjectRpc(SavedFiltersService) private readonly filters: RpcClient<typeof SavedFiltersService>,
  ) {}

  /**
   * Requires that the saved filters which the filter of a grant names are there, and that grants can select by them. Call it once the account is
   * locked: then a change of a saved filter sees this grant, or this is refused.
   * @throws Fault `invalid_argument`, `unavailable`
   */
  async require(accountId: string, filter: string): Promise<void> {
    if (!namesSaved(filter)) return;
    const { filter: text } = await this.filters.expandFilter(
      serviceCaller('tenancy'),
      { accountId, filter },
      { timeoutMs: TIMEOUT_MS },
    );
    const parsed = parseFilter(text);
    const problem = parsed.ok ? unfitForGrants(parsed.filter) : parsed.errors[0]?.message;
    if (problem !== undefined) throw invalid('filter', `After its views are expanded: ${problem}`, filter);
  }

  /** Devices only. Waits for grants that are being written. */
  async uses(
    caller: Caller,
    { accountId }: { accountId: string },
  ): Promise<MessageInitShape<typeof ListFilterUsesResponseSchema>> {
    requireService(caller, 'devices');
    if (!isUuid(accountId)) return {};
    const rows = await this.source.transaction((manager) => readNaming(manager, accountId));
    return {
      uses: rows
        .filter(({ filter }) => namesSaved(filter))
        .map(({ id, subjectName: name, filter }) => {
          return { kind: FilterUseKind.GRANT, id, name: name || 'everyone', filter };
        }),
    };
  }
}
