import { Button, Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { api } from '../lib/api/api.ts';
import { statusOf } from '../lib/api/errors.ts';
import { forgetClient } from '../lib/client.ts';
import { loginPath } from '../lib/hub-paths.ts';
import { leave } from '../lib/leave.ts';
import { messages } from '../lib/messages.ts';
import { SessionContext, SessionHeldContext } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { hasUnsaved } from '../lib/typed.ts';
import { SessionEnded } from '../ui/SessionEnded.tsx';
import { Splash } from '../ui/Splash.tsx';
import { guard } from './guard.ts';

const POLL_MS = 3_000;

/** Everything below has a session; `strict` also asks for an account, a group and an active status. */
export function SessionGate({ strict = true }: { strict?: boolean }) {
  return <WithSession>{(session) => <Guarded session={session} strict={strict} />}</WithSession>;
}

/** Keeps the screen of a session that has ended while something typed would be lost with it, until the person is signed in again. */
function useHeld(ended: boolean, data: Session | undefined) {
  const last = useRef<Session | null>(null);
  const held = useRef(false);
  const returned = held.current && !ended && data !== undefined;
  const another = returned && last.current?.user !== data.user;
  useEffect(() => {
    // The page shows another person's data.
    if (another) leave.reload();
  }, [another]);
  held.current = ended && last.current !== null && (held.current || hasUnsaved());
  if (!ended && data) last.current = data;
  return { held: held.current, person: last.current };
}

function WithSession({ children }: { children: (session: Session | null) => ReactNode }) {
  const { data, error, refetch } = api.useGetSessionQuery(undefined, { refetchOnMountOrArgChange: 30 });
  const away = !!error && statusOf(error) !== 401 && !data;
  const ended = statusOf(error) === 401;
  const { held, person } = useHeld(ended, data);
  useEffect(() => {
    if (!away && !held) return undefined;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [away, held, refetch]);
  if (held || (data && !ended)) {
    return (
      <SessionHeldContext value={held}>
        {children(held ? person : (data ?? null))}
        {held ? <SessionEnded /> : null}
      </SessionHeldContext>
    );
  }
  if (ended) return children(null);
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
  const { pathname } = useLocation();
  const turn = guard(session);
  if (turn?.kind === 'login' || !session) return <ToLogin />;
  if (turn && (strict || turn.to !== pathname)) return <Navigate to={turn.to} replace />;
  if (!strict && !turn) return <NothingWrong />;
  return (
    <SessionContext value={session}>
      <Outlet />
    </SessionContext>
  );
}

/** The address of a notice, opened by a person to whom it does not apply. */
function NothingWrong() {
  return (
    <Splash title={messages.notices.fineTitle} text={messages.notices.fine}>
      <Button component={Link} to="/">
        {messages.notices.home}
      </Button>
    </Splash>
  );
}

function ToLogin() {
  const { pathname, search } = useLocation();
  const { data: before } = api.endpoints.getSession.useQueryState();
  // A provider that still knows the person would sign in again at once what was signed out a moment ago, perhaps from elsewhere.
  const ended = before !== undefined;
  useEffect(() => {
    forgetClient();
    if (!ended) leave.to(loginPath(pathname + search));
  }, [ended, pathname, search]);
  if (ended) {
    return (
      <Splash title={messages.notices.sessionEnded}>
        <Button component="a" href={loginPath(pathname + search)}>
          {messages.notices.signIn}
        </Button>
      </Splash>
    );
  }
  return (
    <Splash>
      <Loader size={40} aria-label={messages.notices.signingIn} role="status" />
    </Splash>
  );
}
