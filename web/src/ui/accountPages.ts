import {
  IconCalendarTime,
  IconChartBar,
  IconGauge,
  IconKey,
  IconPlayerRecord,
  IconRobot,
  IconShieldLock,
  IconUsersPlus,
  IconWorldCheck,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { maySee, type Person } from '../lib/access.ts';
import { grantsTitle } from '../lib/grant-access.ts';
import { messages } from '../lib/messages.ts';

interface AccountPage {
  label: string;
  to: string;
  icon: Icon;
}

/** Lists the pages about an account as a whole that a person may see. */
export function accountPages(person: Person, account: string): AccountPage[] {
  const pages = [
    { screen: 'access', label: grantsTitle, to: `/access/${account}`, icon: IconShieldLock },
    { screen: 'window', label: messages.nav.window, to: `/updates/${account}`, icon: IconCalendarTime },
    { screen: 'recordings', label: messages.nav.recording, to: `/recording/${account}`, icon: IconPlayerRecord },
    { screen: 'usage', label: messages.nav.usage, to: `/usage/${account}`, icon: IconChartBar },
    { screen: 'limits', label: messages.nav.limits, to: `/limits/${account}`, icon: IconGauge },
    { screen: 'tokens', label: messages.nav.tokens, to: `/tokens/${account}`, icon: IconKey },
    {
      screen: 'tokens',
      label: messages.nav.serviceAccounts,
      to: `/service-accounts/${account}`,
      icon: IconRobot,
    },
    { screen: 'domains', label: messages.nav.domains, to: `/domains/${account}`, icon: IconWorldCheck },
    { screen: 'scim', label: messages.nav.scim, to: `/scim/${account}`, icon: IconUsersPlus },
  ] as const;
  return pages.filter(({ screen }) => maySee(person, screen));
}
