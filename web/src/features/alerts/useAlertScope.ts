import { useSearchParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { alertsPath } from '../../lib/client.ts';
import { useSession } from '../../lib/session.ts';

interface AlertScope {
  /** An account, or ALL. Operator users choose it in the address; all others have their own. */
  account: string;
  /** What the hub is asked for. */
  query: { account?: string };
  /** A page of alerts in the same account. */
  to: (page: string) => string;
}

/** The account whose alerts, rules and channels a page shows. */
export function useAlertScope(): AlertScope {
  const session = useSession();
  const [query] = useSearchParams();
  const account = session.operator ? (query.get('account') ?? ALL) : session.account;
  return {
    account,
    query: account === ALL ? {} : { account },
    to: (page) => alertsPath(session, account, page),
  };
}
