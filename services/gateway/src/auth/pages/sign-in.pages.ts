import type { Page } from '@warren/platform/http/page';

const LOGIN = '/auth/saml/login';
const SIGN_IN = { href: LOGIN, label: 'Sign in' };

/** Where a sign-in with a provider begins. */
function loginUrl(provider: string, path: string): string {
  return `${LOGIN}?${new URLSearchParams({ provider, RelayState: path }).toString()}`;
}

export function choosePage(providers: readonly { id: string; name: string }[], path: string): Page {
  return {
    title: 'Sign in',
    text: 'Choose where your account is.',
    links: providers.map(({ id, name }) => ({ href: loginUrl(id, path), label: name })),
  };
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

/** What went wrong with a sign-in, for the person in front of it. */
export function failedPage(status: number, requestId: string | undefined): Page {
  const [title, text] = TEXTS[status] ?? DEFAULT;
  return { title, text, links: [{ href: LOGIN, label: 'Try again' }], requestId };
}

const DEFAULT = [
  'Something went wrong',
  'The sign-in stopped on our side. Try again; if it stays like this, tell your administrator the request below.',
] as const;

const TEXTS: Record<number, readonly [title: string, text: string]> = {
  400: ['Not understood', 'The sign-in request could not be read. Start again from here.'],
  403: [
    'Sign-in not accepted',
    'The answer of your identity provider could not be accepted. It may be too old or used already. Try again; if it stays like this, tell your administrator the request below.',
  ],
  404: ['Not found', 'This hub has no such identity provider.'],
  413: [
    'Too large',
    'The answer of your identity provider is larger than this hub reads. Tell your administrator the request below.',
  ],
  429: ['Too many attempts', 'There were too many attempts to sign in. Wait a minute and try again.'],
  503: ['Sign-in is not available', 'A part that sign-in needs does not answer now. Try again in a moment.'],
};
