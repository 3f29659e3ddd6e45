/** Leaves the console for a page of the hub, without a way back to here. */
export const leave = { to: (path: string): void => window.location.replace(path) };
