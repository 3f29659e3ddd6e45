import { useSearchParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { useSession } from '../../lib/session.ts';

interface AuditScope {
  /** What the hub is asked for. */
  query: { account?: string };
  /** Events of several accounts are shown. */
  isAll: boolean;
}

/** The account whose events are shown. Operator users choose it in the address; all others have their own. */
export function useAuditScope(): AuditScope {
  const session = useSession();
  const [query] = useSearchParams();
  const account = session.operator ? (query.get('account') ?? ALL) : session.account;
  return { query: account === ALL ? {} : { account }, isAll: account === ALL };
}
