import { Button, Loader } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { api } from '../lib/api/api.ts';
import { statusOf } from '../lib/api/errors.ts';
import { forgetClient } from '../lib/client.ts';
import { loginPath } from '../lib/hub-paths.ts';
import { leave } from '../lib/leave.ts';
import { messages } from '../lib/messages.ts';
import { SessionContext } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { Splash } from '../ui/Splash.tsx';
import { guard } from './guard.ts';

const POLL_MS = 3_000;

/** Everything below has a session; `strict` also asks for an account, a group and an active status. */
export function SessionGate({ strict = true }: { strict?: boolean }) {
  return <WithSession>{(session) => <Guarded session={session} strict={strict} />}</WithSession>;
}

function WithSession({ children }: { children: (session: Session | null) => ReactNode }) {
  const { data, error, refetch } = api.useGetSessionQuery(undefined, { refetchOnMountOrArgChange: 30 });
  const away = !!error && statusOf(error) !== 401 && !data;
  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [away, refetch]);
  if (statusOf(error) === 401) return children(null);
  if (data) return children(data);
  if (!error) {
    return (
      <Splash>
        <Loader size={40} aria-label={messages.common.loading} role="status" />
      </Splash>
    );
  }
  return (
    <Splash title={messages.notices.sessionFailed}>
      <Button variant="default" onClick={() => void refetch()}>
        {messages.common.retry}
      </Button>
    </Splash>
  );
}

function Guarded({ session, strict }: { session: Session | null; strict: boolean }) {
  const turn = guard(session);
  if (turn?.kind === 'login' || !session) return <ToLogin />;
  if (strict && turn) return <Navigate to={turn.to} replace />;
  return (
    <SessionContext value={session}>
      <Outlet />
    </SessionContext>
  );
}

function ToLogin() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    forgetClient();
    leave.to(loginPath(pathname + search));
  }, [pathname, search]);
  return (
    <Splash>
      <Loader size={40} aria-label={messages.notices.signingIn} role="status" />
    </Splash>
  );
}
