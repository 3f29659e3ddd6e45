const gone = new Set<string>();

/** Tells whether this console deletes or has deleted an object, which must not be loaded again. */
export const isGone = (id: string): boolean => gone.has(id);

/** For `onQueryStarted` of a call that deletes, so that the object's open page does not reload it. */
export async function deleting({ id }: { id: string }, call: { queryFulfilled: Promise<unknown> }): Promise<void> {
  gone.add(id);
  await call.queryFulfilled.catch(() => gone.delete(id));
}
