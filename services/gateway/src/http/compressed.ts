import compression from 'compression';
import type { RequestHandler } from 'express';

/** Compresses responses, except event streams: a compressor would buffer events. */
export function compressed(): RequestHandler {
  return compression({
    threshold: 1024,
    filter: (request, response) => {
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return false;
      return compression.filter(request, response);
    },
  });
}
