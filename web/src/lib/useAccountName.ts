import { ALL } from './access.ts';
import { peopleApi } from './api/people.ts';
import { useSession } from './session.ts';

/** Returns the name of an account; an ellipsis until it is loaded, and empty for all accounts. */
export function useAccountName(account: string): string {
  const session = useSession();
  const own = account === session.account;
  const { currentData } = peopleApi.useGetAccountQuery({ id: account }, { skip: own || account === ALL });
  if (account === ALL) return '';
  return own ? session.account_name : (currentData?.result.name ?? '…');
}
