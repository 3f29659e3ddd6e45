import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { isScim, SCIM_TYPE } from './scim.fault.ts';

const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const SCIM_TYPES: readonly string[] = [JSON_TYPE, SCIM_TYPE];

/** Their routes take forms, which they read themselves, and answer with pages. */
const FORM_PATHS = ['/auth/saml/', '/auth/oidc/'];
/** Methods whose content means nothing (RFC 9110, section 9.3): it is not read. */
const WITHOUT_CONTENT = new Set(['GET', 'HEAD', 'OPTIONS']);
const SHOWN = 100;

/** Refuses bodies that the API doesn't read, before any other work. */
export const readableBodies: RequestHandler = (request, response, next) => {
  const { method, path } = request;
  if (WITHOUT_CONTENT.has(method) || takesForms(path)) return next();
  requireType(request, response, isScim(request) ? SCIM_TYPES : [JSON_TYPE]).then(() => next(), next);
};

/** Keeps a parser of the API's bodies from the routes that take forms: they would read its result as a form. */
export const exceptForms =
  (parser: RequestHandler): RequestHandler =>
  (request, response, next) =>
    takesForms(request.path) ? next() : void parser(request, response, next);

const takesForms = (path: string) => FORM_PATHS.some((prefix) => path.startsWith(prefix));

/**
 * Checks the media type of a request's body. A request without content may have any type.
 * @throws UnsupportedMediaTypeException for another type than `types`, which `Accept` of the response names (RFC 9110, section 15.5.16)
 */
export async function requireType(request: Request, response: Response, types: readonly string[]): Promise<void> {
  if (request.is([...types]) !== false || !(await hasContent(request))) return;
  const type = request.headers['content-type'];
  const sent = type ? `is ${JSON.stringify(type.slice(0, SHOWN))}` : 'has no Content-Type';
  response.setHeader('Accept', types.join(', '));
  // Node drops the rest only of a body that nobody has begun to read; until then the connection takes no other request.
  request.resume();
  throw new UnsupportedMediaTypeException(`the body ${sent}; expected ${types.join(' or ')}.`);
}

/** Waits for the first byte if the request has no length: proxies may send the empty body of an HTTP/2 request in chunks. */
async function hasContent(request: Request): Promise<boolean> {
  if (request.headers['transfer-encoding'] === undefined) return Number(request.headers['content-length']) > 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }))
      if ((chunk as Buffer).length > 0) return true;
    return false;
  } catch {
    // The client broke off.
    return true;
  }
}
