import { extname } from 'node:path';
import express, { Router, type NextFunction, type Request, type Response } from 'express';

/** Prefixes of routes. An unknown path below them is an error, not a page of the console. */
const ROUTED = /^\/(api|auth|socketsio|agent|install|scim\/v2|tunnel|server)(\/|$)/i;
/** The page of a single terminal, at the path of the specification (section 7). */
const PAGE = /^\/api\/webssh\/ssh\/host\/?$/;
/** Files with a content hash in their name, which browsers may cache forever. */
const HASHED = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/;

/** Source maps are for development. */
const MAP = /\.map(\.\w+)?$/i;

/** Files that the build compresses, and the compressed ones. */
const TEXT = /\.(js|css|html|svg)$/;
const PACKED = /\.br$/;

/**
 * Tells whether a request opens a page: a GET that accepts HTML, outside the routes. At `/`, which `curl` and probes request, any
 * accepted type is enough.
 */
export function wantsPage({ method, path, headers }: Pick<Request, 'method' | 'path' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const accept = headers.accept ?? '*/*';
  return !isRouted(path) && (accept.includes('text/html') || (path === '/' && accept.includes('*/*')));
}

/**
 * Serves the console: its files, and its single HTML page for all of its routes.
 * @param folder output of the build
 * @param maps whether to serve source maps
 */
export function consoleFiles(folder: string, { maps }: { maps: boolean }): Router {
  const files = express.static(folder, {
    // The HTML page is sent below, compressed if possible.
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
    // Serves the compressed file of the build if there is one, else the plain one.
    const { url } = request;
    request.url = `${request.path}.br`;
    files(request, response, (error?: unknown) => {
      request.url = url;
      plain(error);
    });
  });
  return router;
}

/** Matches every encoding of the path that leads to the file. */
function isMap(path: string): boolean {
  try {
    return MAP.test(decodeURIComponent(path));
  } catch {
    // An undecodable path has no file.
    return false;
  }
}

const takesBrotli = (request: Request) => request.acceptsEncodings('br') === 'br';

/** Sets the type and encoding of a compressed file, and `Vary`. */
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
