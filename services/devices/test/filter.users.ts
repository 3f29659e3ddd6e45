import { create } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { commonConfig } from '@warren/platform/config/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import {
  FilterUseKind,
  FilterUseSchema,
  type FilterUse,
  type ListFilterUsesRequest,
} from '@warren/proto/common/v1/common';
import { AlertsService } from '@warren/proto/fleet/v1/alerts';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { v7 as uuidv7 } from 'uuid';

/** The rules of fleet and the grants of tenancy, by account, that name saved filters. */
export class FilterUsers {
  /** Whether they refuse to answer. */
  down = false;
  /** Runs before each answer about grants. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();
  private readonly rules = new Map<string, FilterUse[]>();
  private readonly grants = new Map<string, FilterUse[]>();

  rule(accountId: string, name: string, filter: string): void {
    add(this.rules, accountId, create(FilterUseSchema, { kind: FilterUseKind.ALERT_RULE, id: uuidv7(), name, filter }));
  }

  grant(accountId: string, name: string, filter: string): void {
    add(this.grants, accountId, create(FilterUseSchema, { kind: FilterUseKind.GRANT, id: uuidv7(), name, filter }));
  }

  clear(): void {
    this.rules.clear();
    this.grants.clear();
    this.down = false;
    this.beforeAnswer = () => Promise.resolve();
  }

  /** Answers for tenancy, in the process that stands for it. */
  serveGrants(tenancy: INestApplicationContext): void {
    const listFilterUses = async (_caller: Caller, { accountId }: ListFilterUsesRequest) => {
      await this.beforeAnswer();
      return this.answer(this.grants.get(accountId));
    };
    tenancy.get(RpcServer).serve(AccessService, { listFilterUses } as unknown as RpcHandlers<typeof AccessService>);
  }

  /** Stands for fleet. */
  async startFleet(natsUrl: string): Promise<INestApplicationContext> {
    const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'fleet', config })] })(ProcessModule);
    const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
    const listFilterUses = async (_caller: Caller, { accountId }: ListFilterUsesRequest) =>
      this.answer(this.rules.get(accountId));
    app.get(RpcServer).serve(AlertsService, { listFilterUses } as unknown as RpcHandlers<typeof AlertsService>);
    return app.init();
  }

  private answer(uses: FilterUse[] = []): { uses: FilterUse[] } {
    if (this.down) throw new Fault('unavailable', 'nobody can be asked.');
    return { uses };
  }
}

function add(to: Map<string, FilterUse[]>, accountId: string, use: FilterUse): void {
  to.set(accountId, [...(to.get(accountId) ?? []), use]);
}
