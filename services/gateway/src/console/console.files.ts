import express, { Router, type NextFunction, type Request, type Response } from 'express';

/** Everything below these belongs to routes; a path that none of them knows is an error, not a page of the console. */
const ROUTED = /^\/(api|auth|socketsio|agent|install|tunnel|server)(\/|$)/i;
/** The page with nothing but a terminal, whose address the specification puts there (section 7). */
const PAGE = /^\/api\/webssh\/ssh\/host\/?$/;
/** Names made by the build carry a hash of their content, so a browser may keep them for ever. */
const HASHED = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/;

/** Whether a request is a person opening a page: a GET that would take HTML, outside the routes. */
export function wantsPage(request: Pick<Request, 'method' | 'path' | 'headers'>): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return !isRouted(request.path) && (request.headers.accept ?? '').includes('text/html');
}

/**
 * The console: its files, and its one page for every address that is a page of it (which one, the browser decides).
 * @param folder where the build put them
 */
export function consoleFiles(folder: string): Router {
  const files = express.static(folder, {
    index: 'index.html',
    redirect: false,
    setHeaders: (response: Response, path: string) => {
      response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const router = Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    if (isRouted(request.path)) return next();
    files(request, response, (error?: unknown) => (error ? next(error) : page(folder, request, response, next)));
  });
  return router;
}

function isRouted(path: string): boolean {
  return ROUTED.test(path) && !PAGE.test(path);
}

function page(folder: string, request: Request, response: Response, next: NextFunction): void {
  if (!wantsPage(request)) return next();
  response.setHeader('Cache-Control', 'no-cache');
  response.sendFile('index.html', { root: folder, cacheControl: false }, (error?: NodeJS.ErrnoException) => {
    if (!error || response.headersSent) return;
    next(error.code === 'ENOENT' ? undefined : error);
  });
}
