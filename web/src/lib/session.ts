import { createContext, useContext } from 'react';
import type { Session } from './api/types.ts';

export type { Session } from './api/types.ts';

export const SessionContext = createContext<Session | null>(null);

/** The signed-in person. Only below the session gate, which renders nothing until there is one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession: there is no session here; expected a screen below the session gate');
  return session;
}
