import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect } from 'react';
import { Outlet, useLocation, useMatches, useSearchParams } from 'react-router';
import { messages } from '../../lib/messages.ts';
import { keys } from '../../lib/storage.ts';
import { usePreference } from '../../ui/usePreference.ts';
import type { RouteHandle } from './handle.ts';
import { Shortcuts } from '../shortcuts/Shortcuts.tsx';
import { BulkNotice } from './BulkNotice.tsx';
import { NetworkBanner } from './NetworkBanner.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import classes from './Shell.module.css';

/** Sidebar, top bar, and the screen between them. */
export function Shell() {
  const [expanded, setExpanded] = usePreference(keys.sidebar, (text) => text !== 'false');
  const [opened, drawer] = useDisclosure(false);
  const { pathname } = useLocation();
  const current = useMatches().at(-1)?.handle as RouteHandle | undefined;
  const [query] = useSearchParams();
  const alone = current?.screen === true && query.has('screen');
  useEffect(() => drawer.close(), [pathname]);
  return (
    <div className={classes.shell} data-expanded={expanded || undefined} data-alone={alone || undefined}>
      <a href="#content" className={classes.skip}>
        {messages.nav.skip}
      </a>
      <header className={classes.header}>
        <TopBar name={current?.name ?? ''} always={current?.full ?? false} onMenu={drawer.toggle} menuOpen={opened} />
      </header>
      <aside className={classes.navbar} aria-label={messages.nav.sidebar} data-opened={opened || undefined}>
        <Sidebar expanded={expanded || opened} onToggle={() => setExpanded(!expanded)} onNavigate={drawer.close} />
      </aside>
      <main id="content" tabIndex={-1} className={classes.main} data-full={current?.full || undefined}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <BulkNotice />
      <NetworkBanner />
      <Shortcuts />
    </div>
  );
}
