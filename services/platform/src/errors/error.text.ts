import type { Fault, FaultCode } from './fault.ts';

const PREFIX: Readonly<Record<FaultCode, string>> = {
  invalid_argument: 'Invalid input',
  unauthenticated: 'Not signed in',
  permission_denied: 'Not allowed',
  recent_sign_in_required: 'Sign in again',
  not_found: 'Not found',
  already_exists: 'Conflict',
  failed_precondition: 'Conflict',
  resource_exhausted: 'Too many',
  quota_reached: 'Quota reached',
  deadline_exceeded: 'Unavailable',
  unavailable: 'Unavailable',
  data_loss: 'Damaged',
  internal: 'Internal error',
};

/** The prefix of codes outside Fault, such as those of the HTTP framework. */
const OTHER = 'Invalid request';
/** A longer field path is left out of the prefix. */
const MAX_FIELD = 40;

/** The text of an error that leaves the hub: `prefix: text` (decisions, 'Errors'). */
export function errorText(code: string, text: string): string {
  return `${code in PREFIX ? PREFIX[code as FaultCode] : OTHER}: ${text}`;
}

/** The same of a fault: its own subject or the field that it is about comes before what its code says. */
export function faultText({ code, message, subject, problems: [first] }: Fault): string {
  if (subject !== undefined) return `${subject}: ${message}`;
  const field = code === 'invalid_argument' ? first?.field : undefined;
  if (!field || field.length > MAX_FIELD) return errorText(code, message);
  return `${PREFIX[code]} (${field}): ${message}`;
}
