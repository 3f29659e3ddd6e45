import { AUDIT_COLUMNS, auditRecord } from './audit.csv.ts';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AuditService } from '@warren/proto/audit/v1/audit';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import { Describe, DescribeContent } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import { AccountNames } from './account.names.ts';
import { AuditExports } from './audit.exports.ts';
import { filterOf } from './audit.filter.ts';
import { auditEventJson } from './audit.mapper.ts';
import {
  AUDIT_EXAMPLE,
  auditEventAnswerSchema,
  auditEventListSchema,
  exportAuditEventsQuery,
  listAuditEventsQuery,
  type ExportAuditEventsQuery,
  type ListAuditEventsQuery,
} from './audit.schemas.ts';

const WHO = 'SuperAdmins and the admins of the operator see all accounts; owners and admins their own.';
const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** Who did what, when and from where. */
@ApiTags('audit')
@Controller('api/audit')
export class AuditController {
  constructor(
    @InjectRpc(AuditService) private readonly audit: RpcClient<typeof AuditService>,
    private readonly names: AccountNames,
    private readonly exports: AuditExports,
  ) {}

  @Get('events')
  @Describe({
    summary: 'Lists audit events, newest first.',
    description: `${WHO} Several conditions narrow the list together. Read on with \`next\` until it is null, also after a short or empty page: a search ends a page after a short time.`,
    answer: auditEventListSchema,
    errors: [404],
  })
  async listAuditEvents(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listAuditEventsQuery }) { limit, before: cursor = '', ...query }: ListAuditEventsQuery,
  ) {
    const { events, nextCursor } = await this.audit.listEvents(caller, { filter: filterOf(query), limit, cursor });
    const names = await this.names.seenBy(caller)(events.map(({ accountId }) => accountId));
    return {
      events: events.map((entry) => auditEventJson(entry, names.get(entry.accountId) ?? '')),
      next: nextCursor || null,
    };
  }

  @Get('export')
  @DescribeContent({
    summary: 'Exports audit events, newest first, as CSV or as lines of JSON.',
    description: `${WHO} Text that looks like a formula is defused in CSV. Two exports of a person run at a time. The export is an event, too.`,
    content: {
      'text/csv': `${AUDIT_COLUMNS.join()}\r\n${auditRecord(AUDIT_EXAMPLE).join()}\r\n`,
      'application/x-ndjson': `${JSON.stringify(AUDIT_EXAMPLE)}\n`,
    },
    errors: [404],
  })
  async exportAuditEvents(
    @CurrentCaller() caller: Caller,
    @CurrentSession() signedIn: SignedIn,
    @Query({ schema: exportAuditEventsQuery }) query: ExportAuditEventsQuery,
  ) {
    const file = await this.exports.start({ caller, signedIn }, query);
    const { format } = query;
    return new StreamableFile(file, {
      type: TYPES[format],
      disposition: `attachment; filename="audit.${format}"`,
    });
  }

  @Get('events/:id')
  @Describe({ summary: 'Reads an audit event.', description: WHO, answer: auditEventAnswerSchema, errors: [404] })
  async getAuditEvent(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { event } = await this.audit.getEvent(caller, { id });
    if (!event) throw new Fault('not_found', `audit event ${id}.`);
    const { accountId } = event;
    const names = await this.names.seenBy(caller)([accountId]);
    return { event: auditEventJson(event, names.get(accountId) ?? '') };
  }
}
