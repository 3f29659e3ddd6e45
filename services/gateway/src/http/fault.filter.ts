import { Catch, HttpException, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { errorText, faultText } from '@warren/platform/errors/error.text';
import { Fault, HTTP_STATUS, type FieldProblem } from '@warren/platform/errors/fault';
import type { Response } from 'express';
import { Refusals } from './refusals.ts';
import { AccessDenied } from './access.ts';
import { ASK_FOR_TOKEN, challengeOf, TokenRefused } from './challenge.ts';
import { isScim, SCIM_TYPE, scimError } from './scim.fault.ts';
import { DeviceOffline } from './device.offline.ts';
import { requestIdOf } from './request.id.ts';
import type { SignedInRequest } from './signed-in.request.ts';

/** The response to an error. */
export interface ErrorAnswer {
  status: number;
  /** Seconds, for `Retry-After`. */
  retryAfter?: number;
  body: { statusCode: number; code: string; message: string; errors?: FieldProblem[] };
}

const RETRY_AFTER_S = 2;
const DOWN = 'A part of the hub does not answer now. Try again in a moment.';
/** Codes for errors of the framework and its parsers, which have only a status. */
const CODE_OF_STATUS: Record<number, string> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'failed_precondition',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'resource_exhausted',
};

/** Returns the response for an error; undefined for an unexpected one, whose text is not shown. */
export function errorAnswer(error: unknown): ErrorAnswer | undefined {
  if (error instanceof Fault && error.code !== 'internal') return faultAnswer(error);
  if (error instanceof HttpException && error.getStatus() < 500) return statusAnswer(error.getStatus(), error.message);
  return parserAnswer(error);
}

/** Returns the response for an unexpected error: only a correlation id. */
export function unknownAnswer(requestId: string): ErrorAnswer {
  return answer(500, 'internal', errorText('internal', `something went wrong on our side; request ${requestId}.`));
}

function faultAnswer(fault: Fault): ErrorAnswer {
  const status = HTTP_STATUS[fault.code];
  const down = status === 503;
  const retryAfter = fault.retryAfter ?? (down ? RETRY_AFTER_S : undefined);
  const code = fault instanceof AccessDenied ? fault.reason : fault.code;
  // The log has which service is down, and why.
  const hidden = down && !(fault instanceof DeviceOffline);
  const built = answer(status, code, hidden ? errorText(fault.code, DOWN) : faultText(fault));
  if (fault.problems.length > 0) built.body.errors = fault.problems;
  return retryAfter === undefined ? built : { ...built, retryAfter: Math.max(1, Math.ceil(retryAfter)) };
}

/** Errors of express and its body parser (http-errors), with a flag whether to show their text. */
function parserAnswer(error: unknown): ErrorAnswer | undefined {
  const { status, expose, type, message } = (error ?? {}) as {
    status?: unknown;
    expose?: unknown;
    type?: unknown;
    message?: string;
  };
  if (typeof status !== 'number' || status < 400 || status >= 500 || expose !== true) return undefined;
  return statusAnswer(status, type === 'entity.parse.failed' ? 'the body is no JSON.' : (message ?? 'unreadable.'));
}

function statusAnswer(status: number, text: string): ErrorAnswer {
  const code = CODE_OF_STATUS[status] ?? 'invalid_argument';
  return answer(status, code, errorText(code, text));
}

function answer(status: number, code: string, message: string): ErrorAnswer {
  return { status, body: { statusCode: status, code, message } };
}

/** Responds to errors with `{statusCode, code, message}`, and records what a person has no right to. */
@Catch()
@Injectable()
export class FaultFilter implements ExceptionFilter {
  private readonly log = new Logger(FaultFilter.name);

  constructor(private readonly refusals: Refusals) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<SignedInRequest>(), http.getResponse<Response>()];
    const known = errorAnswer(error);
    void this.refusals.note(request, error);
    const id = requestIdOf(request);
    if (!known) this.log.error({ err: error }, 'A request failed.');
    else if (known.status >= 500) this.log.warn({ err: error }, 'A request could not be served.');
    const found = known ?? unknownAnswer(id);
    const { retryAfter } = found;
    const { status, body } = isScim(request) ? scimError(error, found) : found;
    // Aborts a started body, so that it doesn't look complete.
    if (response.headersSent) return void response.destroy();
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    const challenge = challengeFor(error, status, request);
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
    response.setHeader('Cache-Control', 'no-store');
    if (isScim(request)) response.type(SCIM_TYPE);
    response.status(status).json(body);
  }
}

/** `WWW-Authenticate` of a refusal (RFC 6750, section 3). */
function challengeFor(error: unknown, status: number, { caller }: SignedInRequest): string | undefined {
  if (error instanceof TokenRefused) return error.challenge;
  if (status === 401) return ASK_FOR_TOKEN;
  const isToken = caller?.kind.case === 'user' && caller.kind.value.token !== undefined;
  return status === 403 && isToken ? challengeOf('insufficient_scope') : undefined;
}
