import { Suspense, useEffect } from 'react';
import { Outlet, useBlocker } from 'react-router';
import { isLeaving } from '../lib/leave.ts';
import { hasUnsent } from '../lib/typed.ts';
import { part } from '../ui/part.tsx';
import { usePageFocus } from './usePageFocus.ts';

const LeaveQuestion = part(async () => (await import('./LeaveQuestion.tsx')).LeaveQuestion);

/** What every screen has: the focus follows a navigation, and nothing typed is left behind without a question. */
export function Root() {
  usePageFocus();
  const blocker = useBlocker(({ currentLocation: here, nextLocation: next }) => {
    return here.pathname !== next.pathname && hasUnsent();
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving() && hasUnsent()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  return (
    <>
      <Outlet />
      {blocker.state === 'blocked' ? (
        <Suspense>
          <LeaveQuestion onLeave={blocker.proceed} onStay={blocker.reset} />
        </Suspense>
      ) : null}
    </>
  );
}
