const gone = new Set<string>();

/** Whether this console has deleted it, or is about to: nothing of it is there to be read again. */
export const isGone = (id: string): boolean => gone.has(id);

/** For `onQueryStarted` of a call that deletes: the page of the thing, which is still open, doesn't ask for it again. */
export async function deleting({ id }: { id: string }, call: { queryFulfilled: Promise<unknown> }): Promise<void> {
  gone.add(id);
  await call.queryFulfilled.catch(() => gone.delete(id));
}
