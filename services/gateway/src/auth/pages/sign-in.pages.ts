import type { Page } from '@warren/platform/http/page';
import type { RefusalKind, SignInRefused } from '../refusal/sign-in.refused.ts';

const LOGIN = '/auth/saml/login';
const SIGN_IN = { href: LOGIN, label: 'Sign in' };

/** Returns the path that starts a sign-in with a provider. */
function loginUrl(provider: string, path: string): string {
  return `${LOGIN}?${new URLSearchParams({ provider, RelayState: path }).toString()}`;
}

/** @param unknown an address that no provider signs in, as the person typed it */
export function choosePage(providers: readonly { id: string; name: string }[], path: string, unknown?: string): Page {
  const refused = `No sign-in of this hub takes \u201c${(unknown ?? '').slice(0, 254)}\u201d. Check the address, or choose where your account is.`;
  return {
    title: 'Sign in',
    text: unknown === undefined ? 'Choose where your account is.' : refused,
    links: providers.map(({ id, name }) => ({ href: loginUrl(id, path), label: name })),
    form: {
      action: LOGIN,
      hidden: { RelayState: path },
      field: { name: 'email', type: 'email', label: 'Or enter your e-mail address' },
      label: 'Continue',
    },
  };
}

/** Renders the page that leads to the provider of an e-mail address. */
export function continuePage(name: string, href: string): Page {
  return { title: 'Sign in', text: `Your account is at ${name}.`, links: [{ href, label: 'Continue' }] };
}

export function signedOutPage(confirmed: boolean): Page {
  return confirmed
    ? { title: 'Signed out', text: 'You are signed out of Warren.', links: [SIGN_IN] }
    : {
        title: 'Signed out here',
        text: 'You are signed out of Warren. Your identity provider did not confirm that you are signed out there too.',
        links: [SIGN_IN],
      };
}

export function confirmSignOutPage(): Page {
  return {
    title: 'Sign out?',
    text: 'Another site led here. Sign out only if you meant to.',
    links: [{ href: '/auth/saml/logout', label: 'Sign out' }],
  };
}

/** Renders the page of a sign-in that failed. */
export function failedPage(status: number, requestId: string | undefined): Page {
  const [title, text] = TEXTS[status] ?? DEFAULT;
  return { title, text, links: [{ href: LOGIN, label: 'Try again' }], requestId };
}

/** Renders the page of a person whose e-mail address belongs to another identity here. */
export function mismatchPage(requestId: string | undefined): Page {
  return {
    title: 'This address belongs to another sign-in',
    text: 'A user with your e-mail address is here already, and signs in as somebody else or elsewhere. If that user is you, ask an administrator of your account to choose Reset sign-in for you, and then try again.',
    links: [{ href: LOGIN, label: 'Try again' }],
    requestId,
  };
}

const DEFAULT = [
  'Something went wrong',
  'The sign-in stopped on our side. Try again; if it stays like this, tell your administrator the request below.',
] as const;

const TEXTS: Record<number, readonly [title: string, text: string]> = {
  400: ['Not understood', 'The sign-in request could not be read. Start again from here.'],
  403: ['Sign-in not accepted', 'This answer of your identity provider was used already. Sign in again.'],
  404: ['Not found', 'This hub has no such identity provider.'],
  413: [
    'Too large',
    'The answer of your identity provider is larger than this hub reads. Tell your administrator the request below.',
  ],
  429: ['Too many attempts', 'There were too many attempts to sign in. Wait a minute and try again.'],
  503: ['Sign-in is not available', 'A part that sign-in needs does not answer now. Try again in a moment.'],
};

const ASK_ADMINISTRATOR = 'Give your administrator the request ID below; the log of the hub has the details.';

/** What the person can do about each kind of refusal. */
const ADVICE: Record<RefusalKind, string> = {
  unreadable: `The answer of your identity provider could not be read. Start again; if it stays like this, ask for help. ${ASK_ADMINISTRATOR}`,
  unsigned: `Your identity provider did not sign its answer. Trying again does not help. ${ASK_ADMINISTRATOR}`,
  certificate: `Your identity provider signs with a key that this hub does not know. Trying again does not help. ${ASK_ADMINISTRATOR}`,
  altered: `The answer of your identity provider was changed on its way. Start again; if it stays like this, ask for help. ${ASK_ADMINISTRATOR}`,
  algorithm: `Your identity provider uses an algorithm that is too weak. Trying again does not help. ${ASK_ADMINISTRATOR}`,
  time: `The answer of your identity provider is too old or from the future. Try again; if it stays like this, the clocks of the two differ. ${ASK_ADMINISTRATOR}`,
  address: `Your identity provider answered for another address than this hub's. Trying again does not help. ${ASK_ADMINISTRATOR}`,
  request: 'This sign-in was used already, took too long, or began in another browser. Sign in again, here.',
  email: `Your identity provider did not tell this hub your e-mail address. Ask for it to be sent along. ${ASK_ADMINISTRATOR}`,
  unverified: `Your identity provider did not confirm that your e-mail address is yours. Confirm the address there, and try again. ${ASK_ADMINISTRATOR}`,
  client: `Your identity provider does not accept this hub's own credentials. Trying again does not help. ${ASK_ADMINISTRATOR}`,
  unreachable: `Your identity provider does not answer this hub. Try again in a moment; if it stays like this, ask for help. ${ASK_ADMINISTRATOR}`,
  domain: `Your identity provider may not sign in people of your e-mail address here. Choose another one, or another account there. ${ASK_ADMINISTRATOR}`,
  identity: `A user with your e-mail address signs in as somebody else or elsewhere. ${ASK_ADMINISTRATOR}`,
  stale: `Your identity provider did not ask you to sign in again, which this needs. Sign out there and try again. ${ASK_ADMINISTRATOR}`,
  status: `Your identity provider did not sign you in. Try again, or with another account there. ${ASK_ADMINISTRATOR}`,
  other: `The answer of your identity provider could not be accepted. Try again; if it stays like this, ask for help. ${ASK_ADMINISTRATOR}`,
};

/** Renders the page of a refused sign-in: what the person can do, and the provider's message. */
export function refusedPage({ kind, said }: SignInRefused, requestId: string | undefined): Page {
  const words = said.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const quoted = words ? ` It says: \u201c${words}\u201d` : '';
  const links = [{ href: LOGIN, label: 'Try again' }];
  return { title: 'Sign-in not accepted', text: `${ADVICE[kind]}${quoted}`, links, requestId };
}
