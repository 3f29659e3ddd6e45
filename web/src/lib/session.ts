import { createContext, useContext } from 'react';
import type { Session } from './api/types.ts';

export type { Session } from './api/types.ts';

export const SessionContext = createContext<Session | null>(null);

/** Whether the session ended while the page has unsaved input; the page is kept until the next sign-in. */
export const SessionHeldContext = createContext(false);

/** Returns the signed-in person. Only below the session gate, which renders nothing without a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession: there is no session here; expected a screen below the session gate');
  return session;
}
