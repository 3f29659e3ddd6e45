let leaving = false;

/** Whether the console itself has decided to leave this document. */
export const isLeaving = (): boolean => leaving;

function go(away: () => void): void {
  leaving = true;
  away();
}

/** Leaves the console: for a page of the hub, without a way back to here, or by a reload. */
export const leave = {
  to: (path: string): void => go(() => window.location.replace(path)),
  reload: (): void => go(() => window.location.reload()),
};
