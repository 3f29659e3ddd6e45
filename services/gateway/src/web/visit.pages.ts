import type { FaultCode } from '@warren/platform/errors/fault';
import type { Page } from '@warren/platform/http/page';

type Texts = Partial<Record<FaultCode, readonly [title: string, text: string]>>;

const HOME = { href: '/', label: 'To Warren' };

const TEXTS: Texts = {
  invalid_argument: ['Not understood', 'The request could not be read. Open the page again from Warren.'],
  not_found: ['Not found', 'There is no device at this address, or it is not yours.'],
  permission_denied: ['Not allowed', 'Your role may not open web services of devices.'],
  quota_reached: [
    'Quota reached',
    'This account has used up its traffic of this month. Wait for the first of the next month, or ask the operator of this hub for a higher limit.',
  ],
  resource_exhausted: ['Too many visits', 'Wait a minute, and try again.'],
  failed_precondition: [
    'Web service off',
    'The web service of this device is turned off. An administrator of Warren can turn it on.',
  ],
};

const GUEST_TEXTS: Texts = {
  unauthenticated: [
    'Guest access ended',
    'Your host or Warren has ended it. Ask your host for a new link. If you have a user here, sign in.',
  ],
  not_found: ['Not found', 'Your guest link opens another address. If you have a user here, sign in.'],
  permission_denied: ['Not allowed', 'Your guest link opens no web service. If you have a user here, sign in.'],
  failed_precondition: [
    'Web service not available',
    'The web service that your guest link opens is off, or no longer exists. Ask your host.',
  ],
};

/** The page that says why a visit to a web service is refused. */
export function visitRefused(code: FaultCode): Page {
  return pageOf(code, TEXTS, [HOME]);
}

/** The same, for a guest. @param signIn where a user signs in, and comes back from */
export function guestVisitRefused(code: FaultCode, signIn: string): Page {
  return pageOf(code, { ...TEXTS, ...GUEST_TEXTS }, [{ href: signIn, label: 'Sign in' }]);
}

function pageOf(code: FaultCode, texts: Texts, links: Page['links']): Page {
  const [title, text] = texts[code] ?? [
    'Not available',
    'A part of Warren that this needs does not answer now. Try again in a moment.',
  ];
  return { title, text, links };
}
