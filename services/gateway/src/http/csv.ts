import { stringify } from 'csv-stringify';
import { Readable } from 'node:stream';

/**
 * Records as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need), written as they come. Text that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
export function csvOf(columns: string[], records: AsyncIterable<string[]>): Readable {
  const options = { header: true, columns, bom: true, record_delimiter: 'windows', escape_formulas: true } as const;
  const csv = stringify(options);
  const rows = Readable.from(records);
  // A part that fails ends the file as broken, not as if it were whole.
  rows.once('error', (error) => csv.destroy(error));
  csv.once('close', () => rows.destroy());
  return rows.pipe(csv);
}
