import { Fault } from '@warren/platform/errors/fault';
import type { ReadChunkResponse } from '@warren/proto/audit/v1/recordings';
import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import type { Response } from 'express';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';

const decompress = promisify(zstdDecompress);
/** What was read once needs no second look at the rights of the reader for so long. */
const CACHE = 'private, max-age=3600, immutable';

/** Sends a chunk: as it is stored to browsers that decompress Zstandard themselves. */
export async function sendChunk(response: Response, { content, size, tag }: ReadChunkResponse): Promise<void> {
  const { req: request } = response;
  response.type('application/octet-stream');
  response.setHeader('Cache-Control', CACHE);
  response.setHeader('ETag', `"${tag}"`);
  // Another person at the same browser reads nothing from its cache.
  response.vary('Accept-Encoding, Cookie');
  if (request.acceptsEncodings('zstd')) {
    response.setHeader('Content-Encoding', 'zstd');
    response.end(Buffer.from(content));
    return;
  }
  if (size > RECORDING_LIMITS.chunkBytes) throw new Fault('internal', 'a chunk of a recording is too large.');
  response.end(await decompress(content, { maxOutputLength: size }));
}
