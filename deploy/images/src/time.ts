/** When what is built counts as made: now, or SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch). */
export function madeAt(): Date {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  if (!epoch) return new Date();
  if (/^\d+$/.test(epoch)) return new Date(Number(epoch) * 1000);
  throw new Error(`SOURCE_DATE_EPOCH is "${epoch}": expected seconds since 1970`);
}
