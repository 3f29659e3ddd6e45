import express, { type Express, type Response } from 'express';
import type { Box } from './box.ts';
import { listPage, messagePage } from './pages.ts';

const ours =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/** Content-Security-Policy of a message: only itself and pictures, without scripts. */
const theirs =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; frame-ancestors 'self'";

function send(response: Response, document: string, policy = ours, status = 200): void {
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.status(status).type('html').send(document);
}

/**
 * The catcher's page and its JSON: `GET /api/messages?to=` answers `{total, messages: Message[]}`, newest first;
 * `DELETE /api/messages` empties it.
 */
export function mailApp(box: Box): Express {
  const app = express().disable('x-powered-by');
  app.get('/healthz', (_request, response) => void response.send('ok'));
  app.get('/', (_request, response) => send(response, listPage(box.list())));
  app.get('/messages/:id', (request, response, next) => {
    const message = box.find(request.params.id);
    if (!message) return next();
    send(response, messagePage(message));
  });
  app.get('/messages/:id/html', (request, response, next) => {
    const message = box.find(request.params.id);
    if (!message) return next();
    // Links in a message open outside its frame.
    send(response, `<base target="_blank">${message.html}`, theirs);
  });
  app.post('/clear', (_request, response) => {
    box.clear();
    response.redirect(303, '/');
  });
  app.get('/api/messages', (request, response) => {
    const { to } = request.query;
    const messages = box.list(typeof to === 'string' ? to : undefined);
    response.json({ total: messages.length, messages });
  });
  app.delete('/api/messages', (_request, response) => {
    box.clear();
    response.status(204).end();
  });
  app.use(
    (_request, response) =>
      void response.status(404).type('text').send('There is no such message; the last 500 are kept.\n'),
  );
  return app;
}
