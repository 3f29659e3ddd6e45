/** Why a call failed. Clients branch on this code, never on the text. */
export type FaultCode =
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  /** Allowed, but the sign-in is too long ago. */
  | 'recent_sign_in_required'
  | 'not_found'
  | 'already_exists'
  | 'failed_precondition'
  | 'resource_exhausted'
  | 'quota_reached'
  | 'deadline_exceeded'
  | 'unavailable'
  /** What was stored is gone, or was changed outside of the hub. */
  | 'data_loss'
  | 'internal';

/** One problem with one field of a request; `field` is a dotted path. */
export interface FieldProblem {
  field: string;
  message: string;
  /** The received value as JSON; absent for secrets and missing values. */
  value?: string;
}

export interface FaultOptions {
  cause?: unknown;
  /** Says more than the code of what was refused: `Enrolment token`. It stands where the prefix of the code would. */
  subject?: string;
  problems?: FieldProblem[];
  /** Seconds to wait before a retry. */
  retryAfter?: number;
  /** The request names an account that the person may not see. Whether it exists is not checked. */
  otherAccount?: boolean;
}

/**
 * The one error type that crosses a process boundary. `message` is for the person who asked, so it names the value and what
 * was expected, and carries no secret; `cause` stays in the process that threw it. The prefix that people see comes from the code,
 * where the text leaves the hub (error.text.ts).
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly problems: FieldProblem[];
  readonly subject: string | undefined;
  readonly retryAfter: number | undefined;
  readonly otherAccount: boolean;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.problems = options.problems ?? [];
    this.subject = options.subject;
    this.retryAfter = options.retryAfter;
    this.otherAccount = options.otherAccount ?? false;
  }
}

const SHOWN = 60;

/** A value as JSON, at most 60 characters of it, for {@link FieldProblem}. */
export function shownValue(value: unknown): string {
  const plain = (_key: string, one: unknown) => (typeof one === 'bigint' ? String(one) : one);
  const text = (JSON.stringify(value, plain) ?? String(value)).toWellFormed();
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
}

/** A Fault `invalid_argument` for one or more fields. Its text is that of the first one. */
export function invalidInput(first: FieldProblem, ...others: FieldProblem[]): Fault {
  return new Fault('invalid_argument', first.message, { problems: [first, ...others] });
}

/** HTTP status for each code: the only such table (decisions, 'Errors'). */
export const HTTP_STATUS: Record<FaultCode, number> = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  recent_sign_in_required: 403,
  not_found: 404,
  already_exists: 409,
  failed_precondition: 409,
  resource_exhausted: 429,
  quota_reached: 409,
  internal: 500,
  data_loss: 500,
  unavailable: 503,
  deadline_exceeded: 503,
};

const CODES: ReadonlySet<string> = new Set(Object.keys(HTTP_STATUS));

/** True for a text that names a code, as read from another process. */
export function isFaultCode(text: string): text is FaultCode {
  return CODES.has(text);
}
