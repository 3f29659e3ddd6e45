import type { Request, Response } from 'express';
import { clientNetwork } from '../../http/client.address.ts';
import { requestId, requestOrigin } from '../../http/signed-in.request.ts';
import type { LogoutOutcome } from './logout.service.ts';
import type { Sender } from './saml.verifier.ts';

export const SIGNED_OUT = '/auth/saml/signed-out';

/** A logout is not tied to a page of the hub: the provider may send it from anywhere, in a frame too. */
export function logoutSender(request: Request): Sender {
  return {
    client: clientNetwork(request),
    browser: undefined,
    requestId: requestId(request),
    origin: requestOrigin(request),
  };
}

/** Redirects the browser, to the provider if it expects an answer. */
export function sendOutcome(response: Response, outcome: LogoutOutcome): void {
  if ('confirmed' in outcome) response.redirect(303, outcome.confirmed ? SIGNED_OUT : `${SIGNED_OUT}?unconfirmed=1`);
  else response.redirect(303, outcome.answerUrl ?? SIGNED_OUT);
}
