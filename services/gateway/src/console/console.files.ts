import { extname } from 'node:path';
import express, { Router, type NextFunction, type Request, type Response } from 'express';

/** Everything below these belongs to routes; a path that none of them knows is an error, not a page of the console. */
const ROUTED = /^\/(api|auth|socketsio|agent|install|tunnel|server)(\/|$)/i;
/** The page with nothing but a terminal, whose address the specification puts there (section 7). */
const PAGE = /^\/api\/webssh\/ssh\/host\/?$/;
/** Names made by the build carry a hash of their content, so a browser may keep them for ever. */
const HASHED = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/;

/** Maps to the sources are for those who work on the console. */
const MAP = /\.map(\.\w+)?$/i;

/** What the build compresses, and what it calls the result. */
const TEXT = /\.(js|css|html|svg)$/;
const PACKED = /\.br$/;

/**
 * Whether a request is a person opening a page: a GET that asks for HTML, outside the routes. At `/`, where `curl` and probes
 * look whether the hub is there, one that takes anything is enough.
 */
export function wantsPage({ method, path, headers }: Pick<Request, 'method' | 'path' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const accept = headers.accept ?? '*/*';
  return !isRouted(path) && (accept.includes('text/html') || (path === '/' && accept.includes('*/*')));
}

/**
 * The console: its files, and its one page for every address that is a page of it (which one, the browser decides).
 * @param folder where the build put them
 * @param maps whether maps to the sources are among them
 */
export function consoleFiles(folder: string, { maps }: { maps: boolean }): Router {
  const files = express.static(folder, {
    // The page itself is sent below, compressed where it can be.
    index: false,
    redirect: false,
    setHeaders: (response: Response, path: string) => {
      describe(response, path);
      response.setHeader(
        'Cache-Control',
        HASHED.test(path.replace(PACKED, '')) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  const router = Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    if (isRouted(request.path) || (!maps && isMap(request.path))) return next();
    const plain = (error?: unknown) => {
      if (error) return next(error);
      files(request, response, (failure?: unknown) =>
        failure ? next(failure) : page(folder, request, response, next),
      );
    };
    if (!takesBrotli(request) || !TEXT.test(request.path)) return plain();
    // A file that the build has compressed stands beside the plain one; without it, that is served as ever.
    const { url } = request;
    request.url = `${request.path}.br`;
    files(request, response, (error?: unknown) => {
      request.url = url;
      plain(error);
    });
  });
  return router;
}

/** Spelled in any way that leads to the file. */
function isMap(path: string): boolean {
  try {
    return MAP.test(decodeURIComponent(path));
  } catch {
    // Nothing is served at a path that cannot be decoded.
    return false;
  }
}

const takesBrotli = (request: Request) => request.acceptsEncodings('br') === 'br';

/** Says what a compressed file holds, and that others get another one. */
function describe(response: Response, path: string): void {
  if (!TEXT.test(path.replace(PACKED, ''))) return;
  response.vary('Accept-Encoding');
  if (!PACKED.test(path)) return;
  response.setHeader('Content-Encoding', 'br');
  response.type(extname(path.replace(PACKED, '')));
}

function isRouted(path: string): boolean {
  return ROUTED.test(path) && !PAGE.test(path);
}

function page(folder: string, request: Request, response: Response, next: NextFunction): void {
  if (!wantsPage(request)) return next();
  response.setHeader('Cache-Control', 'no-cache');
  response.vary('Accept-Encoding');
  const plain = () =>
    response.sendFile('index.html', { root: folder, cacheControl: false }, (error?: NodeJS.ErrnoException) => {
      if (!error || response.headersSent) return;
      next(error.code === 'ENOENT' ? undefined : error);
    });
  if (!takesBrotli(request)) return plain();
  const headers = { 'Content-Encoding': 'br', 'Content-Type': 'text/html; charset=utf-8' };
  response.sendFile(
    'index.html.br',
    { root: folder, cacheControl: false, headers },
    (error?: NodeJS.ErrnoException) => {
      if (error && !response.headersSent) plain();
    },
  );
}
