/** Reads a stored value; null without one, or if the browser stores nothing. */
export function recall(key: string, store: () => Storage = () => localStorage): string | null {
  try {
    return store().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it if `value` is null. Does not fail if the browser stores nothing. */
export function remember(key: string, value: string | null, store: () => Storage = () => localStorage): void {
  try {
    if (value === null) store().removeItem(key);
    else store().setItem(key, value);
  } catch {
    // Private windows and full storage throw; the console works without storage.
  }
}

export const keys = {
  scheme: 'warren.scheme',
  sidebar: 'warren.sidebar',
  rows: 'warren.rows',
  deviceColumns: 'warren.devices.columns',
  singleKeys: 'warren.singleKeys',
  client: 'warren.client',
  fontSize: 'warren.terminal.fontSize',
  screenReader: 'warren.terminal.screenReader',
  localEcho: 'warren.terminal.localEcho',
  desktopSize: 'warren.desktop.size',
  desktopAdapt: 'warren.desktop.adapt',
  desktopQuality: 'warren.desktop.quality',
  desktopCompression: 'warren.desktop.compression',
  desktopClipboard: 'warren.desktop.clipboard',
  bulkJobs: 'warren.bulkJobs',
  panelPinned: 'warren.device.pinned',
};
