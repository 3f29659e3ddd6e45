import express, { type Request, type Response } from 'express';
import { FORM_TYPE, requireType } from '../../http/media.types.ts';

/** Assertions with many groups are large; the gateway's other bodies have a much lower limit. */
const FORM_LIMIT_BYTES = 512 * 1024;

const parse = express.urlencoded({ extended: false, limit: FORM_LIMIT_BYTES, parameterLimit: 16 });

/** Reads a posted form into `request.body`. Rejects with an http-error: 413 if too large, 415 for another type, 400 if malformed. */
export async function readForm(request: Request, response: Response): Promise<void> {
  await requireType(request, response, [FORM_TYPE]);
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

/** Returns a value of a query or form; undefined if it is missing, empty or repeated. */
export function single(source: unknown, name: string): string | undefined {
  const value = (source as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
