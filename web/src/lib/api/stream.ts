import { newTrace } from './trace.ts';

/** Reads bytes, which have no place in the store of the API. Rejects with an error as a call of the API has it. */
export async function readBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  return new Uint8Array(await (await read(path, signal)).arrayBuffer());
}

/** Reads an answer that belongs to a stream of bytes. Rejects as {@link readBytes}. */
export async function readJson<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  return (await read(path, signal)).json() as Promise<Answer>;
}

async function read(path: string, signal: AbortSignal): Promise<Response> {
  const request = new Request(path, { signal, headers: { traceparent: newTrace() } });
  const response = await fetch(request).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ReadError('FETCH_ERROR');
  });
  if (!response.ok) throw new ReadError(response.status, await response.json().catch(() => undefined));
  return response;
}

/** A read that failed: the status and the answer of the hub. */
class ReadError extends Error {
  constructor(
    readonly status: number | 'FETCH_ERROR',
    readonly data?: unknown,
  ) {
    super(`reading failed: ${status}`);
    this.name = 'ReadError';
  }
}
