import { randomBytes } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { z } from 'zod';
import { choosePage, notePage, postPage } from './pages.ts';
import { groupsIn, personOf, type Person } from './people.ts';
import { logoutAnswer, metadata, parseRequest, signInResponse, type Issuer } from './saml.ts';

export interface IdpOptions extends Issuer {
  /** Assertions are sent to this origin only. */
  hubUrl: string;
  people(): Promise<Person[]>;
}

/** A bad request; the message is shown to the person. */
class BadRequest extends Error {}

const asked = z.object({ SAMLRequest: z.string().min(1).max(100_000), RelayState: z.string().max(2000).default('') });
const chosen = asked.extend({
  email: z.string().trim().min(3).max(254).includes('@'),
  /** Names of groups, separated by commas. */
  groups: z.string().max(2_000).default(''),
});

function read<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input ?? {});
  if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error));
  return parsed.data;
}

function guard(response: Response, formOrigin: string): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; form-action 'self' ${formOrigin}; frame-ancestors 'none'; base-uri 'none'`;
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  return nonce;
}

async function authnRequest(request: Request, hub: string) {
  const parsed = await parseRequest(request).catch((error: Error) => {
    throw new BadRequest(`The sign-in request can't be read: ${error.message}`);
  });
  const acs = parsed?.assertionConsumerServiceURL;
  if (!parsed || !acs) throw new BadRequest('The sign-in request names no address to answer to.');
  if (!URL.canParse(acs) || new URL(acs).origin !== hub) {
    throw new BadRequest(`The sign-in request wants its answer at ${acs}, but this sign-in answers ${hub} only.`);
  }
  return { parsed, acs };
}

const failed =
  (hubUrl: string): ErrorRequestHandler =>
  (error: Error, _request, response, _next) => {
    const expected = error instanceof BadRequest || 'status' in error;
    if (!expected) process.stderr.write(`${error.stack ?? error.message}\n`);
    guard(response, "'none'");
    const text = expected ? error.message : 'The sign-in failed. Its log says why.';
    response.status(expected ? 400 : 500).send(notePage('This did not work', text, hubUrl));
  };

/** Creates the identity provider as an Express application: /metadata, /sso, /slo, /healthz. */
export function idpApp(options: IdpOptions): Express {
  const hub = new URL(options.hubUrl).origin;
  const app = express().disable('x-powered-by');
  app.use(express.urlencoded({ extended: false, limit: '200kb' }));
  app.get('/healthz', (_request, response) => void response.send('ok'));
  app.get(
    '/metadata',
    (_request, response) => void response.type('application/samlmetadata+xml').send(metadata(options)),
  );

  const choose = async (request: Request, response: Response, input: unknown) => {
    const { SAMLRequest, RelayState } = read(asked, input);
    await authnRequest(request, hub);
    guard(response, hub);
    response.send(choosePage(await options.people(), { request: SAMLRequest, relayState: RelayState }));
  };
  app.get('/sso', (request, response) => choose(request, response, request.query));

  app.post('/sso', async (request, response) => {
    // A request by the POST binding names no person yet.
    if (request.body?.email === undefined) return choose(request, response, request.body);
    const { email, groups, RelayState } = read(chosen, request.body);
    const { parsed, acs } = await authnRequest(request, hub);
    const person = personOf(await options.people(), email);
    const answer = await signInResponse(options, parsed, acs, { ...person, groups: groupsIn(groups) });
    response.send(postPage(acs, answer, RelayState, guard(response, hub)));
  });

  app.get('/slo', async (request, response, next) => {
    if (!request.query['SAMLRequest']) return void response.redirect(options.hubUrl);
    const parsed = await parseRequest(request);
    logoutAnswer(options, parsed?.id, new URL('/auth/saml/slo', options.hubUrl).href)(request, response, next);
  });

  app.get('/', (_request, response) => {
    guard(response, "'none'");
    const text =
      'This is the development sign-in. Start at Warren, and it brings you here when you are asked who you are.';
    response.send(notePage('Development sign-in', text, options.hubUrl));
  });
  app.use(failed(options.hubUrl));
  return app;
}
