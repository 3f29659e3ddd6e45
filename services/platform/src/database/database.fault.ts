import { QueryFailedError } from 'typeorm';
import { Fault } from '../errors/fault.ts';

/** The error fields of PostgreSQL (documentation, 54.8: Error and Notice Message Fields). */
interface ServerError {
  code?: string;
  constraint?: string;
}

/** Deadlock and serialisation failure: the transaction was rolled back, and may be retried. */
const TRANSIENT = /^40(001|P01)$/;
const LOCKED = '55P03';
/** Values that a column or the encoding rejects: too long, a NUL, no UTF-8, out of range, of another type, against a check. */
const UNFIT = /^(22(001|003|007|008|021|023|P02|P03|P05)|23514)$/;

function serverError(error: unknown): ServerError {
  return error instanceof QueryFailedError ? (error.driverError as ServerError) : {};
}

/** The unique index or constraint that a statement violated; undefined for any other error. */
export function constraintOf(error: unknown): string | undefined {
  return serverError(error).constraint;
}

/** Whether a transaction failed only because of a concurrent one. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(serverError(error).code ?? '');
}

/** Whether a statement timed out waiting for a lock (`lock_timeout`). */
export function isLocked(error: unknown): boolean {
  return serverError(error).code === LOCKED;
}

/**
 * Converts errors of the data or of a concurrent transaction to a Fault, by SQLSTATE (documentation, appendix A). Undefined for all
 * others. The Fault never contains the server's text.
 */
export function databaseFault(error: unknown): Fault | undefined {
  const { code = '' } = serverError(error);
  if (code === '23503') return missingOrUsed(error as QueryFailedError);
  if (code === '23505') return new Fault('already_exists', 'this is there already.', { cause: error });
  if (UNFIT.test(code)) return new Fault('invalid_argument', 'a value can not be stored as it is.', { cause: error });
  if (TRANSIENT.test(code) || code === LOCKED)
    return new Fault('failed_precondition', 'another request changed this at the same time. Try again.', {
      cause: error,
    });
  return undefined;
}

/** A foreign key: what a new row belongs to is gone, or what is deleted still has rows. */
function missingOrUsed(error: QueryFailedError): Fault {
  return /^\s*DELETE\b/i.test(error.query)
    ? new Fault('failed_precondition', 'this is still in use.', { cause: error })
    : new Fault('not_found', 'what this belongs to has been deleted.', { cause: error });
}
