import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { requireService, serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { FilterUseKind, type ListFilterUsesResponseSchema } from '@warren/proto/common/v1/common';
import { SavedFiltersService } from '@warren/proto/devices/v1/filters';
import { namesSaved } from '@warren/rules/filter/expand';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { readUses } from '../records/uses.sql.ts';

/** Rules or silences of the account are locked meanwhile. */
const TIMEOUT_MS = 2_000;

/** The saved filters of accounts that rules and silences name. */
@Injectable()
export class SavedFilters {
  constructor(
    private readonly source: DataSource,
    @InjectRpc(SavedFiltersService) private readonly filters: RpcClient<typeof SavedFiltersService>,
  ) {}

  /**
   * Requires that the saved filters which a filter names are there and fit. Call it once rules or silences of the account are locked: then a
   * change of a saved filter sees this use, or this is refused.
   * @throws Fault `invalid_argument`, `unavailable`
   */
  async require(accountId: string, filter: string): Promise<void> {
    if (namesSaved(filter))
      await this.filters.expandFilter(serviceCaller('fleet'), { accountId, filter }, { timeoutMs: TIMEOUT_MS });
  }

  /** Devices only. Waits for rules and silences that are being written. */
  async uses(
    caller: Caller,
    { accountId }: { accountId: string },
  ): Promise<MessageInitShape<typeof ListFilterUsesResponseSchema>> {
    requireService(caller, 'devices');
    if (!isUuid(accountId)) return {};
    const rows = await this.source.transaction((manager) => readUses(manager, accountId));
    return {
      uses: rows
        .filter(({ filter }) => namesSaved(filter))
        .map(({ id, is_rule: isRule, name, filter }) => {
          const kind = isRule ? FilterUseKind.ALERT_RULE : FilterUseKind.ALERT_SILENCE;
          return { kind, id, name, filter };
        }),
    };
  }
}
