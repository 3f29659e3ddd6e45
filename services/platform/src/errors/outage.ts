/** Codes of the system (errno) and of PostgreSQL (appendix A: classes 08, 53, 57P; statement and idle time-outs) that mean: not there now. */
const CODE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P..|57014|25P0[34])$/;
/** What pg and ioredis say without a code. */
const TEXT =
  /^(Connection (terminated|is closed)|timeout exceeded when trying to connect|Command timed out|Reached the max retries per request limit)/;

/**
 * Whether an error means that a server behind this process is down: the caller may retry soon, and its request is not
 * to blame.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError } = error as Error & { code?: unknown; driverError?: unknown };
  if (typeof code === 'string' && CODE.test(code)) return true;
  return TEXT.test(error.message) || (driverError !== error && isOutage(driverError));
}
