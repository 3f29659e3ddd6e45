import express, { type Request, type Response } from 'express';

/** Assertions with many groups are large; everything else that the gateway parses is held much smaller. */
const FORM_LIMIT_BYTES = 512 * 1024;

const parse = express.urlencoded({ extended: false, limit: FORM_LIMIT_BYTES, parameterLimit: 16 });

/** Reads a posted form into `request.body`. Rejects with an http-error (413, 400) for one too large or malformed. */
export function readForm(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

/** One value of a query or form; nothing when it is missing, empty or given more than once. */
export function single(source: unknown, name: string): string | undefined {
  const value = (source as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
