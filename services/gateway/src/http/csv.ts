import { stringify } from 'csv-stringify';
import { Readable } from 'node:stream';

/**
 * Streams records as CSV (RFC 4180, UTF-8 with the byte order mark that spreadsheets need). Prefixes text that a spreadsheet would
 * read as a formula with an apostrophe.
 */
export function csvOf(columns: string[], records: AsyncIterable<string[]>): Readable {
  const options = {
    header: true,
    columns,
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
    // Spreadsheets take a line break of any kind for the end of a record, unless it is quoted.
    quoted_match: /[\r\n]/,
  } as const;
  const csv = stringify(options);
  const rows = Readable.from(records);
  // An error aborts the response, so that the file doesn't look complete.
  rows.once('error', (error) => csv.destroy(error));
  csv.once('close', () => rows.destroy());
  return rows.pipe(csv);
}
