import { Fault, HTTP_STATUS, type FaultCode } from '@warren/platform/errors/fault';

/** Kinds of errors of bad requests and conflicts (RFC 7644, section 3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

export const SCIM_PATH = '/scim/v2';
export const SCIM_TYPE = 'application/scim+json';

/** A request that SCIM refuses for its form. */
export class ScimFault extends Fault {
  constructor(
    readonly scimType: ScimType,
    message: string,
  ) {
    super('invalid_argument', message);
  }
}

/** A response to a refused or failed request (RFC 7644, section 3.12). */
interface ScimError {
  schemas: string[];
  status: string;
  scimType?: ScimType;
  detail: string;
}

/** Codes that SCIM answers in its own way; others as everywhere. */
const ANSWERS: Partial<Record<FaultCode, { status: number; scimType?: ScimType }>> = {
  invalid_argument: { status: 400, scimType: 'invalidValue' },
  already_exists: { status: 409, scimType: 'uniqueness' },
  // What can't be changed is asked to change.
  failed_precondition: { status: 400, scimType: 'mutability' },
  quota_reached: { status: 403 },
};

/** Whether a request is one of SCIM, so that its errors are as well. */
export const isScim = ({ path }: { path: string }): boolean => path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`);

/** What is wrong, with the field that it is about. */
function detailOf({ message, subject, problems: [first] }: Fault): string {
  const about = subject ?? first?.field ?? '';
  return about === '' ? message : `${about}: ${message}`;
}

/** The status of an error, and its body. @param answer what other routes would answer */
export function scimError(error: unknown, answer: { status: number; body: { message: string; code: string } }) {
  const known = error instanceof Fault && HTTP_STATUS[error.code] < 500 ? ANSWERS[error.code] : undefined;
  const syntax = known === undefined && answer.status === 400 ? { scimType: 'invalidSyntax' as const } : {};
  const { status, scimType } = { status: answer.status, ...syntax, ...known };
  const type = error instanceof ScimFault ? error.scimType : scimType;
  const detail = known ? detailOf(error as Fault) : answer.body.message;
  const body: ScimError = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(type ? { scimType: type } : {}),
    detail,
  };
  return { status, body };
}
