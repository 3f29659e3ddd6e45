/** Returns the URL of the hub's sign-in, which returns to `path` of this origin. */
export const loginPath = (path: string): string => `/auth/saml/login?${new URLSearchParams({ RelayState: path })}`;

export const LOGOUT_PATH = '/auth/saml/logout';
