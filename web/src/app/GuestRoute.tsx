import { Loader } from '@mantine/core';
import { Suspense } from 'react';
import { Terminal } from '../features/device/terminal/Terminal.tsx';
import { GuestPage, type GuestStageProps } from '../features/guest/GuestPage.tsx';
import { messages } from '../lib/messages.ts';
import { part } from '../ui/part.tsx';
import classes from '../features/device/DevicePage.module.css';

const Desktop = part(async () => (await import('../features/device/desktop/Desktop.tsx')).DesktopStage);

const Web = part(async () => (await import('../features/web/GuestWeb.tsx')).GuestWeb);

/** The page of a guest: only what the link opens, in the whole window. */
export function GuestRoute() {
  return <GuestPage stage={Stage} />;
}

function Stage({ session, lead, ticket }: GuestStageProps) {
  const target = { id: session.device_id, name: session.device, online: session.online, ticket, lead };
  return (
    <main className={classes.window}>
      <Suspense fallback={<Loader aria-label={messages.common.loading} role="status" />}>
        {session.purpose === 'terminal' ? <Terminal guest slot={session.id} {...target} /> : null}
        {session.purpose === 'desktop' ? <Desktop device={null} {...target} /> : null}
        {session.purpose === 'web' ? <Web session={session} lead={lead} /> : null}
      </Suspense>
    </main>
  );
}
