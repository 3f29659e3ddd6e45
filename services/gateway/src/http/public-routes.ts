/** A route as the router knows it: method and path pattern. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
}

/**
 * Every route that answers without a session. Whatever is not here needs one. A test holds this list against the
 * registered routes, so an entry without a route fails as well.
 */
export const PUBLIC_ROUTES: readonly Route[] = [
  // Signing in and out: nobody has a session yet, or the identity provider is calling.
  { method: 'GET', path: '/auth/saml/login' },
  { method: 'POST', path: '/auth/saml/acs' },
  { method: 'GET', path: '/auth/saml/metadata' },
  { method: 'GET', path: '/auth/saml/logout' },
  { method: 'GET', path: '/auth/saml/signed-out' },
  { method: 'GET', path: '/auth/saml/slo' },
  { method: 'POST', path: '/auth/saml/slo' },
  // A visit to a device's host: sends people without a session to sign in, and takes them back.
  { method: 'GET', path: '/tunnel/open' },
  // The installer: curl has no cookie; the enrolment token in the address is what counts.
  { method: 'GET', path: '/install/:account' },
  { method: 'GET', path: '/install/packages/:file' },
  // An agent that is offered a version: what it downloads is signed, and no secret.
  { method: 'GET', path: '/install/releases/:version/:file' },
  // Invited people have no session yet; the token in the link authorises them.
  { method: 'GET', path: '/api/invitation' },
  { method: 'POST', path: '/api/signup' },
  // A device enrols with its token and a proof of its key.
  { method: 'POST', path: '/agent/enrol' },
  // It changes its key with a proof by the old and the new one.
  { method: 'POST', path: '/agent/rotate_key' },
  { method: 'POST', path: '/agent/separate' },
];

/** Routes for people with a session but without an account. The console asks who they are to show the right notice. */
export const ACCOUNTLESS_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/auth/saml/getsession' },
  // Accepting an invitation is how one gets an account.
  { method: 'GET', path: '/api/my_invitations' },
  { method: 'POST', path: '/api/accept_invitation' },
];

/** Whether a list names a route. HEAD counts as GET, as the router answers it. */
export function names(routes: readonly Route[], method: string, path: string): boolean {
  const asked = method === 'HEAD' ? 'GET' : method;
  return routes.some((route) => route.method === asked && route.path === path);
}
