/** Sums the sockets of an account over the fields `{count} {end of the lease}` of all replicas. Expired fields count nothing. */
export function socketsIn(fields: Readonly<Record<string, string>>, now: number): number {
  const counts = Object.values(fields).map((field) => field.split(' ').map(Number));
  return counts.reduce((sum, [count = 0, ends = 0]) => (ends > now ? sum + count : sum), 0);
}
