let leaving = false;

/** Whether the console itself leaves this document. */
export const isLeaving = (): boolean => leaving;

function go(away: () => void): void {
  leaving = true;
  away();
}

/** Leaves the console: to a page of the hub, without a history entry, or by a reload. */
export const leave = {
  to: (path: string): void => go(() => window.location.replace(path)),
  reload: (): void => go(() => window.location.reload()),
};
