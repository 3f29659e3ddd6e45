/** A route: method and path pattern. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
}

/**
 * The routes that need no session; all others do. A test compares this list with the registered routes, so it also fails for an
 * entry without a route.
 */
export const PUBLIC_ROUTES: readonly Route[] = [
  // Sign-in and sign-out: there is no session yet, or the identity provider calls.
  { method: 'GET', path: '/auth/saml/login' },
  { method: 'POST', path: '/auth/saml/login' },
  { method: 'POST', path: '/auth/saml/acs' },
  { method: 'GET', path: '/auth/saml/metadata' },
  { method: 'GET', path: '/auth/saml/logout' },
  { method: 'GET', path: '/auth/saml/signed-out' },
  { method: 'GET', path: '/auth/saml/slo' },
  { method: 'POST', path: '/auth/saml/slo' },
  { method: 'GET', path: '/auth/oidc/:provider/callback' },
  { method: 'POST', path: '/auth/oidc/:provider/backchannel-logout' },
  // A visit to a web service: redirects people without a session to the sign-in and back.
  { method: 'GET', path: '/tunnel/open' },
  // The installer: curl has no cookie; the enrolment token in the URL authorises it.
  { method: 'GET', path: '/install/:account' },
  { method: 'GET', path: '/install/packages/:file' },
  // Downloads of agents during an update: they are signed, and not secret.
  { method: 'GET', path: '/install/releases/:version/:file' },
  // Invited people have no session yet; the token in the link authorises them.
  { method: 'GET', path: '/api/invitation' },
  { method: 'POST', path: '/api/signup' },
  // Enrolment: authorised by a token and a proof of the device's key.
  { method: 'POST', path: '/agent/enrol' },
  // Key rotation: authorised by proofs of the old and the new key.
  { method: 'POST', path: '/agent/rotate_key' },
  { method: 'POST', path: '/agent/separate' },
  // Guests: the secret of a guest link, and then the cookie that it gives, authorise them.
  { method: 'GET', path: '/api/guest/session' },
  { method: 'POST', path: '/api/guest/socket-token' },
  { method: 'POST', path: '/api/guest/web-address' },
  { method: 'POST', path: '/api/guest/:id' },
  { method: 'POST', path: '/api/guest/:id/redeem' },
  // SCIM: an own guard requires the SCIM token of an account.
  { method: 'GET', path: '/scim/v2/ServiceProviderConfig' },
  { method: 'GET', path: '/scim/v2/ResourceTypes' },
  { method: 'GET', path: '/scim/v2/ResourceTypes/:id' },
  { method: 'GET', path: '/scim/v2/Schemas' },
  { method: 'GET', path: '/scim/v2/Schemas/:id' },
  { method: 'GET', path: '/scim/v2/Users' },
  { method: 'POST', path: '/scim/v2/Users' },
  { method: 'GET', path: '/scim/v2/Users/:id' },
  { method: 'PUT', path: '/scim/v2/Users/:id' },
  { method: 'PATCH', path: '/scim/v2/Users/:id' },
  { method: 'DELETE', path: '/scim/v2/Users/:id' },
  { method: 'GET', path: '/scim/v2/Groups' },
  { method: 'POST', path: '/scim/v2/Groups' },
  { method: 'GET', path: '/scim/v2/Groups/:id' },
  { method: 'PUT', path: '/scim/v2/Groups/:id' },
  { method: 'PATCH', path: '/scim/v2/Groups/:id' },
  { method: 'DELETE', path: '/scim/v2/Groups/:id' },
];

/** Routes for people with a session but without an account. The console reads the session user to show the right notice. */
export const ACCOUNTLESS_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/auth/saml/getsession' },
  // Accepting an invitation gives access to an account.
  { method: 'GET', path: '/api/my_invitations' },
  { method: 'POST', path: '/api/accept_invitation' },
];

/** Tells whether a list has a route. HEAD counts as GET, as in the router. */
export function names(routes: readonly Route[], method: string, path: string): boolean {
  const asked = method === 'HEAD' ? 'GET' : method;
  return routes.some((route) => route.method === asked && route.path === path);
}
