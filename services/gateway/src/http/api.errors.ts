import { errorText } from '@warren/platform/errors/error.text';
import { FLEET } from './example.fleet.ts';

interface ApiError {
  description: string;
  /** A body that `errorSchema` allows. */
  example: object;
}

const error = (statusCode: number, code: string, text: string, description: string): ApiError => ({
  description,
  example: { statusCode, code, message: errorText(code, text) },
});

const PROBLEM = { field: 'limit', message: 'expected a number of at least 1.', value: '0' };

/** The errors of the API by their status. */
export const API_ERRORS: Readonly<Record<number, ApiError>> = {
  400: {
    description: 'The input is not valid; `errors` lists the fields.',
    example: {
      statusCode: 400,
      code: 'invalid_argument',
      message: `Invalid input (${PROBLEM.field}): ${PROBLEM.message}`,
      errors: [PROBLEM],
    },
  },
  401: error(
    401,
    'unauthenticated',
    'your session has ended.',
    'The session or API token is missing, expired or revoked.',
  ),
  403: error(
    403,
    'permission_denied',
    'your role may not do this (devices.manage).',
    'Your role or your token may not do this; `recent_sign_in_required`: your account asks for a recent sign-in first.',
  ),
  404: error(404, 'not_found', `device ${FLEET.device.id}.`, 'Not found, or not visible to you.'),
  409: error(409, 'failed_precondition', 'the job is over.', 'Conflicts with the present state.'),
  413: error(413, 'payload_too_large', 'request entity too large', 'The body is too large.'),
  415: error(
    415,
    'unsupported_media_type',
    'expected application/json.',
    'The body is not JSON; `Accept` names what is expected (RFC 9110, section 15.5.16).',
  ),
  429: error(
    429,
    'resource_exhausted',
    '600 requests of this token in a minute; try again in 7 s.',
    'Too many calls; `Retry-After` says when to try again.',
  ),
  503: error(
    503,
    'unavailable',
    'the device is not connected.',
    'A service of the hub or the device is unavailable; `Retry-After` says when to try again.',
  ),
};
