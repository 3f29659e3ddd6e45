import { createContext, useContext } from 'react';
import type { Session } from './api/types.ts';

export type { Session } from './api/types.ts';

export const SessionContext = createContext<Session | null>(null);

/** Whether the session has ended while something typed stands on the page, which is kept until there is a session again. */
export const SessionHeldContext = createContext(false);

/** The signed-in person. Only below the session gate, which renders nothing until there is one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession: there is no session here; expected a screen below the session gate');
  return session;
}
