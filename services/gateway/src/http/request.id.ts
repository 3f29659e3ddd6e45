import type { NextFunction, Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';

const HEADER = 'x-request-id';
const REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * Gives each request an id, or keeps that of a proxy, and returns it as `X-Request-Id`. Also sets it as a request header for the log.
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[HEADER];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
  request.headers[HEADER] = id;
  response.setHeader(HEADER, id);
  next();
}

/** Returns the id that {@link requestId} gave a request. */
export function requestIdOf(request: Request): string {
  const id = request.headers[HEADER];
  return typeof id === 'string' ? id : uuidv7();
}
