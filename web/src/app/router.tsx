import type { ComponentType } from 'react';
import { createBrowserRouter } from 'react-router';
import type { RouteObject } from 'react-router';
import { NotFoundPage } from '../features/notices/NotFoundPage.tsx';
import type { Screen } from '../lib/access.ts';
import { shared } from '../lib/messages/shared.ts';
import { messages } from '../lib/messages.ts';
import { Crash } from './Crash.tsx';
import type { RouteHandle } from './layout/handle.ts';
import { Shell } from './layout/Shell.tsx';
import { Root } from './Root.tsx';
import { Permit } from './Permit.tsx';
import { SessionGate } from './SessionGate.tsx';

const permit = (screen: Screen | undefined, children: RouteObject[]): RouteObject => ({
  element: screen ? <Permit screen={screen} /> : <Permit />,
  children,
});

const handle = (name: string, full = false): RouteHandle => ({ name, full });

/** A screen of the account in its address. */
const inAccount = (load: () => Promise<ComponentType>) => async () => {
  const [{ AccountGate }, Screen] = await Promise.all([import('../features/notices/AccountGate.tsx'), load()]);
  return {
    element: (
      <AccountGate>
        <Screen />
      </AccountGate>
    ),
  };
};

const devices = inAccount(async () => (await import('../features/devices/DevicesPage.tsx')).DevicesPage);
const web = async () => ({ Component: (await import('./WebRoute.tsx')).WebRoute });
const users = inAccount(async () => (await import('../features/users/UsersPage.tsx')).UsersPage);
const groupUsers = inAccount(async () => (await import('../features/users/GroupUsersPage.tsx')).GroupUsersPage);
const invitation = async () => ({
  Component: (await import('../features/invitations/InvitationPage.tsx')).InvitationPage,
});
const signup = async () => ({ Component: (await import('../features/signup/SignupPage.tsx')).SignupPage });
const guest = async () => ({ Component: (await import('./GuestRoute.tsx')).GuestRoute });
const notices = () => import('../features/notices/NoticePage.tsx');
const accountIssue = async () => ({ Component: (await notices()).AccountIssuePage });
const accountDisabled = async () => ({ Component: (await notices()).AccountDisabledPage });

const screens: RouteObject[] = [
  permit(undefined, [
    {
      path: '/',
      handle: { name: messages.nav.home, screen: true },
      lazy: async () => ({ Component: (await import('../features/home/HomePage.tsx')).HomePage }),
    },
    { path: '/devices/:account_id', handle: handle(messages.nav.devices), lazy: devices },
    {
      path: '/devices/:account_id/:id',
      // The device's name is the heading, always in view.
      handle: handle('', true),
      lazy: inAccount(async () => (await import('./DeviceRoute.tsx')).DeviceRoute),
    },
    {
      path: '/devices/compare/:id',
      handle: handle(messages.nav.devices),
      lazy: async () => ({ Component: (await import('../features/devices/compare/ComparePage.tsx')).ComparePage }),
    },
    {
      path: '/device/ssh/:id',
      handle: handle(messages.nav.devices, true),
      lazy: async () => ({ Component: (await import('../features/device/TerminalPage.tsx')).TerminalPage }),
    },
    {
      path: '/device/rdp/:id',
      handle: handle(messages.nav.devices, true),
      lazy: async () => ({ Component: (await import('../features/device/DesktopPage.tsx')).DesktopPage }),
    },
    { path: '/device/web/:address', handle: handle(messages.nav.devices, true), lazy: web },
    // Without what to open, the address of a page is meant (specification, section 2).
    { path: '/device/:address', handle: handle(messages.nav.devices, true), lazy: web },
    {
      path: '/alerts',
      handle: handle(messages.nav.alerts),
      lazy: async () => ({ Component: (await import('../features/alerts/list/AlertsPage.tsx')).AlertsPage }),
    },
    {
      path: '/alerts/rules',
      handle: handle(messages.nav.alerts),
      lazy: async () => ({ Component: (await import('../features/alerts/rules/RulesPage.tsx')).RulesPage }),
    },
    {
      path: '/alerts/silences',
      handle: handle(messages.nav.alerts),
      lazy: async () => ({ Component: (await import('../features/alerts/silences/SilencesPage.tsx')).SilencesPage }),
    },
    {
      path: '/profile',
      handle: handle(messages.profile.title),
      lazy: async () => ({ Component: (await import('../features/profile/ProfilePage.tsx')).ProfilePage }),
    },
    {
      path: '/profile/tokens',
      handle: handle(messages.nav.tokens),
      lazy: async () => ({ Component: (await import('../features/tokens/OwnTokensPage.tsx')).OwnTokensPage }),
    },
    {
      path: '/sessions',
      handle: handle(messages.nav.sessions),
      lazy: async () => ({
        Component: (await import('../features/recordings/list/RecordingsPage.tsx')).RecordingsPage,
      }),
    },
    {
      path: '/sessions/:id',
      handle: handle(messages.nav.sessions, true),
      lazy: async () => ({ Component: (await import('../features/recordings/RecordingPage.tsx')).RecordingPage }),
    },
    {
      path: '/requests/:account_id',
      handle: handle(messages.nav.requests),
      lazy: inAccount(async () => (await import('../features/access/requests/RequestsPage.tsx')).RequestsPage),
    },
  ]),
  permit('tokens', [
    {
      path: '/tokens/:account_id',
      handle: handle(messages.nav.tokens),
      lazy: inAccount(async () => (await import('../features/tokens/AccountTokensPage.tsx')).AccountTokensPage),
    },
    {
      path: '/service-accounts/:account_id',
      handle: handle(messages.nav.serviceAccounts),
      lazy: inAccount(
        async () => (await import('../features/tokens/service-accounts/ServiceAccountsPage.tsx')).ServiceAccountsPage,
      ),
    },
  ]),
  permit('scim', [
    {
      path: '/scim/:account_id',
      handle: handle(messages.nav.scim),
      lazy: inAccount(async () => (await import('../features/scim/ScimPage.tsx')).ScimPage),
    },
  ]),
  permit('domains', [
    {
      path: '/domains/:account_id',
      handle: handle(messages.nav.domains),
      lazy: inAccount(async () => (await import('../features/domains/DomainsPage.tsx')).DomainsPage),
    },
  ]),
  permit('channels', [
    {
      path: '/alerts/channels',
      handle: handle(messages.nav.alerts),
      lazy: async () => ({
        Component: (await import('../features/alerts/channels/ChannelsPage.tsx')).ChannelsPage,
      }),
    },
  ]),
  permit('allDevices', [{ path: '/devices', handle: handle(messages.nav.devices), lazy: devices }]),
  permit('accounts', [
    {
      path: '/accounts',
      handle: handle(messages.nav.accounts),
      lazy: async () => ({ Component: (await import('../features/accounts/AccountsPage.tsx')).AccountsPage }),
    },
    {
      path: '/accounts/:id',
      handle: handle(messages.nav.accounts),
      lazy: async () => ({ Component: (await import('../features/accounts/AccountPage.tsx')).AccountPage }),
    },
  ]),
  permit('allUsers', [{ path: '/users', handle: handle(messages.nav.users), lazy: users }]),
  permit('users', [
    { path: '/users/:account_id', handle: handle(messages.nav.users), lazy: users },
    {
      path: '/users/:account_id/:id',
      handle: handle(messages.nav.users),
      lazy: inAccount(async () => (await import('../features/users/UserPage.tsx')).UserPage),
    },
  ]),
  permit('owners', [{ path: '/group/:id', handle: handle(messages.groups.owners), lazy: groupUsers }]),
  permit('groups', [
    {
      path: '/groups/:account_id',
      handle: handle(messages.nav.groups),
      lazy: inAccount(async () => (await import('../features/groups/GroupsPage.tsx')).GroupsPage),
    },
    { path: '/groups/:account_id/:id', handle: handle(messages.nav.groups), lazy: groupUsers },
  ]),
  permit('updates', [
    {
      path: '/updates',
      handle: handle(messages.nav.updates),
      lazy: async () => ({ Component: (await import('../features/updates/UpdatesPage.tsx')).UpdatesPage }),
    },
  ]),
  permit('jobs', [
    {
      path: '/jobs',
      handle: handle(shared.bulkJobs),
      lazy: async () => ({ Component: (await import('../features/bulk/BulkJobsPage.tsx')).BulkJobsPage }),
    },
  ]),
  permit('window', [
    {
      path: '/updates/:account_id',
      handle: handle(messages.nav.updates),
      lazy: inAccount(async () => (await import('../features/updates/UpdateWindowPage.tsx')).UpdateWindowPage),
    },
  ]),
  permit('limits', [
    {
      path: '/limits/:account_id',
      handle: handle(messages.nav.limits),
      lazy: inAccount(async () => (await import('../features/limits/LimitsPage.tsx')).LimitsPage),
    },
  ]),
  permit('access', [
    {
      path: '/access/:account_id',
      handle: handle(messages.nav.accounts),
      lazy: inAccount(async () => (await import('../features/access/AccessPage.tsx')).AccessPage),
    },
  ]),
  permit('usage', [
    {
      path: '/usage/:account_id',
      handle: handle(messages.nav.usage),
      lazy: inAccount(async () => (await import('../features/usage/UsagePage.tsx')).UsagePage),
    },
  ]),
  permit('audit', [
    {
      path: '/audit/:id?',
      handle: handle(messages.nav.audit),
      lazy: async () => ({ Component: (await import('../features/audit/AuditRoute.tsx')).AuditRoute }),
    },
  ]),
  permit('recordings', [
    {
      path: '/recording/:account_id',
      handle: handle(messages.nav.recording),
      lazy: inAccount(
        async () => (await import('../features/recordings/settings/RecordingSettingsPage.tsx')).RecordingSettingsPage,
      ),
    },
  ]),
  permit('signIns', [
    {
      path: '/sign-in-doctor',
      handle: handle(messages.nav.signIns),
      lazy: async () => ({
        Component: (await import('../features/sign-in-doctor/SignInDoctorPage.tsx')).SignInDoctorPage,
      }),
    },
  ]),
  permit('settings', [
    {
      path: '/settings',
      handle: handle(messages.nav.settings),
      lazy: async () => ({ Component: (await import('../features/settings/SettingsPage.tsx')).SettingsPage }),
    },
  ]),
];

/** Only a terminal, in a separate tab. */
const terminalWindow: RouteObject = {
  path: '/api/webssh/ssh/host',
  lazy: async () => ({ Component: (await import('../features/device/WindowPage.tsx')).WindowPage }),
};

export function createRouter() {
  return createBrowserRouter([
    {
      element: <Root />,
      errorElement: <Crash />,
      hydrateFallbackElement: <></>,
      children: [
        {
          element: <SessionGate />,
          children: [
            permit(undefined, [terminalWindow]),
            { element: <Shell />, errorElement: <Crash />, children: screens },
          ],
        },
        {
          element: <SessionGate strict={false} />,
          children: [
            { path: '/account_issue', lazy: accountIssue },
            { path: '/account_disable', lazy: accountDisabled },
          ],
        },
        { path: '/accept_invitation', lazy: invitation },
        { path: '/guest/:id', lazy: guest },
        { path: '/signup-user', lazy: signup },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}
