import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { pageOf } from '@warren/platform/database/page';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { create } from '@bufbuild/protobuf';
import { PageRequestSchema } from '@warren/proto/common/v1/common';
import type { ExportUsersResponseSchema } from '@warren/proto/tenancy/v1/users';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { asUser } from './user.row.ts';
import { userFilter } from './users.service.ts';
import { usersAfter } from './users.sql.ts';

/** Users of one answer; with the longest names and e-mails they fit into a message of the bus (1 MiB). */
const PART = 400;

/** The sort keys of the last user of a part. */
const cursorSchema = z.tuple([z.string(), z.string(), z.string().refine(isUuid)]);

/** The users of a list in parts, each found by where the former ended, so that the last part costs no more than the first. */
@Injectable()
export class UserExport {
  constructor(private readonly source: DataSource) {}

  /** Who may list the users may download them. */
  async part(
    caller: Caller,
    request: { accountId: string; groupId: string; search: string; after: string },
  ): Promise<MessageInitShape<typeof ExportUsersResponseSchema>> {
    const { accountId, groupId } = userFilter(caller, request);
    const { pattern } = pageOf(create(PageRequestSchema, { search: request.search }));
    const filter = { accountId, groupId, pattern };
    const rows = await usersAfter(this.source, filter, cursorOf(request.after) ?? [], PART);
    const last = rows.length === PART ? rows.at(-1) : undefined;
    return { users: rows.map(asUser), next: last ? JSON.stringify([last.name, last.email, last.id]) : '' };
  }
}

function cursorOf(text: string): z.output<typeof cursorSchema> | undefined {
  if (text === '') return undefined;
  try {
    return cursorSchema.parse(JSON.parse(text));
  } catch (cause) {
    const problems = [{ field: 'after', message: 'expected what the former part gave as next.' }];
    throw new Fault('invalid_argument', 'expected what the former part gave as next.', { cause, problems });
  }
}
