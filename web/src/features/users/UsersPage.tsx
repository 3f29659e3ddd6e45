import { useParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { messages } from '../../lib/messages.ts';
import { Trail } from '../../ui/Trail.tsx';
import { UserList } from './UserList.tsx';

const steps = [{ label: messages.nav.home, to: '/' }];

/** The users of one account, or of all of them. */
export function UsersPage() {
  const { account_id: account = ALL } = useParams();
  return <UserList key={account} account={account} trail={<Trail steps={steps} />} />;
}
