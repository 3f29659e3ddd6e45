import { Navigate, Outlet, useParams } from 'react-router';
import { ALL, mayVisit, maySee } from '../lib/access.ts';
import type { Screen } from '../lib/access.ts';
import { useSession } from '../lib/session.ts';

/** Shows the screen to people with access, and silently redirects all others home (specification, section 8). */
export function Permit({ screen }: { screen?: Screen }) {
  const session = useSession();
  const { account_id: account } = useParams();
  if (screen && !maySee(session, screen)) return <Navigate to="/" replace />;
  if (account === ALL && !session.operator) return <Navigate to="/" replace />;
  if (!mayVisit(session, account)) return <Navigate to="/" replace />;
  return <Outlet />;
}
