/** The hub's sign-in, which comes back to `path` (of this origin). */
export const loginPath = (path: string): string => `/auth/saml/login?${new URLSearchParams({ RelayState: path })}`;

export const LOGOUT_PATH = '/auth/saml/logout';
