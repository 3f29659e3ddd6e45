import { useEffect } from 'react';
import { terminalsApi } from '../../../lib/api/generated/terminals.ts';

/**
 * What its person calls a terminal; empty if it has no name, or that is not known yet. It shares the answer with the list of terminals, so
 * that a new name shows at once.
 * @param device null for a guest, who has no list
 */
export function useTerminalName(device: string | null, session: string | null): string {
  const skip = device === null || session === null;
  const { currentData, isUninitialized, refetch } = terminalsApi.useListTerminalsQuery({ id: device ?? '' }, { skip });
  const isListed = currentData?.terminals.some((one) => one.session === session) ?? true;
  useEffect(() => {
    if (!skip && !isUninitialized && !isListed) void refetch();
  }, [session, isListed]);
  return skip ? '' : (currentData?.terminals.find((one) => one.session === session)?.name ?? '');
}
