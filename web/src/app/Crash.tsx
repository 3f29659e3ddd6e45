import { Button } from '@mantine/core';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { NotFoundPage } from '../features/notices/NotFoundPage.tsx';
import { messages } from '../lib/messages.ts';
import { isReplaced } from '../lib/replaced.ts';
import { Splash } from '../ui/Splash.tsx';

/** A screen that threw, or whose files are no longer there because the hub has a newer console. */
export function Crash() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  const message = error instanceof Error ? error.message : String(error);
  const stale = isReplaced(error);
  return (
    <Splash title={stale ? messages.common.newVersion : messages.common.crash} text={stale ? undefined : message}>
      <Button onClick={() => window.location.reload()}>{messages.common.reload}</Button>
    </Splash>
  );
}
