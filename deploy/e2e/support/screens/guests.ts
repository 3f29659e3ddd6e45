import type { Page } from '@playwright/test';
import { GuestPage } from '../../pages/guest.ts';
import { fromHead } from './openers.ts';
import type { Purpose } from './scene.ts';
import type { Screen } from './screen.ts';

const connected = (page: Page) => page.locator('main [role=status][data-state=connected]');

/** What a guest link opens, after the guest has joined. */
const inside = (purpose: Purpose, button: string, ready: Screen['ready']): Screen => ({
  name: `guest-${purpose}`,
  who: null,
  ...(purpose !== 'terminal' && { unpictured: true as const }),
  path: ({ inside: links }) => `/guest/${links[purpose].id}#${links[purpose].secret}`,
  ready,
  show: (page) => new GuestPage(page).join('Grace Park, Pumps Ltd', button),
});

/** What guests see. */
export const guestPages: readonly Screen[] = [
  {
    name: 'guest',
    who: null,
    path: ({ guest: { id, secret } }) => `/guest/${id}#${secret}`,
    ready: (page) => page.getByRole('heading', { level: 1, name: /^Guest access to/ }),
  },
  inside('terminal', 'terminal', connected),
  // The desktop, or why there is none.
  inside('desktop', 'desktop', (page) => connected(page).or(page.locator('main [role=alert]')).first()),
  // The page, or why it can't be seen.
  inside('web', 'web service', (page) => page.locator('main iframe').or(page.getByText(/ is not connected\./))),
];

/** The dialog of guest links. */
export const guestDialogs: readonly Screen[] = [
  { name: 'new-guest-link', who: 'user', ...fromHead('Guest link', 'New guest link') },
];
