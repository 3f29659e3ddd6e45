import type { User } from '@warren/proto/tenancy/v1/tenancy';
import { stringify } from 'csv-stringify';
import { Readable } from 'node:stream';
import { roleName, statusName } from '../http/enums.ts';

const COLUMNS = ['Name', 'E-mail', 'Account', 'Group', 'Role', 'Status'];

/**
 * Users as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need), written as they come. Text that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
export function usersCsv(users: AsyncIterable<User>): Readable {
  const options = {
    header: true,
    columns: COLUMNS,
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  } as const;
  const csv = stringify(options);
  const rows = Readable.from(records(users));
  // A part that fails ends the file as broken, not as if it were whole.
  rows.once('error', (error) => csv.destroy(error));
  csv.once('close', () => rows.destroy());
  return rows.pipe(csv);
}

async function* records(users: AsyncIterable<User>): AsyncGenerator<string[]> {
  for await (const { name, email, accountName, groupName, role, status } of users)
    yield [name, email, accountName, groupName, roleName(role), statusName(status)];
}
