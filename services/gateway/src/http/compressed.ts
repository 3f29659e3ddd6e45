import compression from 'compression';
import type { RequestHandler } from 'express';

/** Compresses answers, but never a stream of events: a compressor holds back what should arrive at once. */
export function compressed(): RequestHandler {
  return compression({
    threshold: 1024,
    filter: (request, response) => {
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return false;
      return compression.filter(request, response);
    },
  });
}
