import { Loader } from '@mantine/core';
import { Suspense } from 'react';
import { Terminal } from '../features/device/terminal/Terminal.tsx';
import { GuestPage, type GuestStageProps } from '../features/guest/GuestPage.tsx';
import { messages } from '../lib/messages.ts';
import { part } from '../ui/part.tsx';
import classes from '../features/device/DevicePage.module.css';

const Desktop = part(async () => (await import('../features/device/desktop/Desktop.tsx')).DesktopStage);

/** The page of a guest: only a terminal or a desktop, in the whole window. */
export function GuestRoute() {
  return <GuestPage stage={Stage} />;
}

function Stage({ session, lead, ticket }: GuestStageProps) {
  const target = { id: session.device_id, name: session.device, online: session.online, ticket, lead };
  return (
    <main className={classes.window}>
      {session.purpose === 'desktop' ? (
        <Suspense fallback={<Loader aria-label={messages.common.loading} role="status" />}>
          <Desktop device={null} {...target} />
        </Suspense>
      ) : (
        <Terminal guest slot={session.id} {...target} />
      )}
    </main>
  );
}
