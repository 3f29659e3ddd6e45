import type { NextFunction, Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';

const HEADER = 'x-request-id';
const REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * Gives each request an id, or keeps the one of a proxy, and returns it as `X-Request-Id`. Sets it as a request header too,
 * where the log reads it.
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[HEADER];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
  request.headers[HEADER] = id;
  response.setHeader(HEADER, id);
  next();
}

/** The id of a request that passed {@link requestId}. */
export function requestIdOf(request: Request): string {
  const id = request.headers[HEADER];
  return typeof id === 'string' ? id : uuidv7();
}
