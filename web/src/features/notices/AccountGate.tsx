import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import { peopleApi } from '../../lib/api/people.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Missing } from '../../ui/Missing.tsx';

/** Shows a screen of the account in the address, or says that the account does not exist. */
export function AccountGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const certain = account === ALL || account === session.account;
  const { error } = peopleApi.useGetAccountQuery({ id: account }, { skip: certain });
  if (!certain && isRefusal(error)) {
    return <Missing title={messages.missing.account} to="/" label={messages.missing.home} />;
  }
  return children;
}
