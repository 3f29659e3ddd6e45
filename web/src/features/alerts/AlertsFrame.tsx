import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { mayManageChannels } from '../../lib/alert-access.ts';
import { alerts as text } from '../../lib/messages/alerts.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { AccountPicker } from '../../ui/AccountPicker.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import classes from './AlertsFrame.module.css';
import { useAlertScope } from './useAlertScope.ts';

interface AlertsFrameProps {
  title: string;
  /** The page is one below the list of alerts. */
  below?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of alerts, with the way to the others. */
export function AlertsFrame({ title, below = false, actions, children }: AlertsFrameProps) {
  const session = useSession();
  const { account, to } = useAlertScope();
  const { pathname } = useLocation();
  const tabs = [
    { path: '/alerts', label: text.tabs.alerts, shown: true },
    { path: '/alerts/rules', label: text.tabs.rules, shown: true },
    { path: '/alerts/silences', label: text.tabs.silences, shown: true },
    {
      path: '/alerts/channels',
      label: text.tabs.channels,
      shown: mayManageChannels(session, account === ALL ? session.account : account),
    },
  ];
  const home = { label: messages.nav.home, to: '/' };
  const steps = below ? [home, { label: text.title, to: to('/alerts') }] : [home];
  return (
    <Page title={title} trail={<Trail steps={steps} />} actions={actions}>
      <nav aria-label={text.pages} className={classes.tabs}>
        {tabs
          .filter(({ shown }) => shown)
          .map(({ path, label }) => (
            <Link
              key={path}
              to={to(path)}
              className={classes.tab}
              aria-current={pathname === path ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
      </nav>
      {children}
    </Page>
  );
}

/** Asks operator users for the account, where something belongs to one. */
export function PickAccount({ why }: { why: string }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <Empty
      title={text.pickTitle}
      text={why}
      action={
        <AccountPicker
          label={text.account}
          except=""
          value={null}
          onChange={(account) => {
            if (account) void navigate(`${pathname}?account=${encodeURIComponent(account.id)}`);
          }}
        />
      }
    />
  );
}
