/** Leaves what the console shows: for a page of the hub, without a way back to here, or for itself, loaded anew. */
export const leave = {
  to: (path: string): void => window.location.replace(path),
  reload: (): void => window.location.reload(),
};
