import { LIMITS } from '@warren/rules/limits';
import { useSearchParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { Invitation } from '../../lib/api/types.ts';
import { useLastPage } from '../../ui/useListState.ts';

export interface PendingState {
  isLoading: boolean;
  total: number;
  invitations: Invitation[];
  page: number;
  onPage: (page: number) => void;
}

const KEY = 'invitations';

/** A page of an account's or a group's open invitations; the page number is in the address. */
export function useInvitations(account: string, group: string | undefined): PendingState {
  const [address, setAddress] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(address.get(KEY))) || 1);
  const { data, currentData, isLoading } = peopleApi.useListInvitationsQuery({
    page,
    limit: LIMITS.pageSize.invitations,
    ...(account === ALL ? {} : { account }),
    ...(group ? { group } : {}),
  });
  const go = (next: number, replace: boolean) =>
    setAddress(
      (now) => {
        const params = new URLSearchParams(now);
        if (next === 1) params.delete(KEY);
        else params.set(KEY, String(next));
        return params;
      },
      { replace },
    );
  const onPage = (next: number) => go(next, false);
  useLastPage({ page, total: currentData?.total, limit: LIMITS.pageSize.invitations }, (last) => go(last, true));
  return { isLoading, total: data?.total ?? 0, invitations: data?.invitations ?? [], page, onPage };
}
