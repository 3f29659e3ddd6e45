/** Reads a remembered value; null when there is none or when the browser keeps nothing. */
export function recall(key: string, store: () => Storage = () => localStorage): string | null {
  try {
    return store().getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a value, or forgets it when `value` is null. A browser that keeps nothing is not an error. */
export function remember(key: string, value: string | null, store: () => Storage = () => localStorage): void {
  try {
    if (value === null) store().removeItem(key);
    else store().setItem(key, value);
  } catch {
    // Private windows and full stores refuse; the console works without memory.
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
  desktopSize: 'warren.desktop.size',
  desktopAdapt: 'warren.desktop.adapt',
  desktopQuality: 'warren.desktop.quality',
  desktopCompression: 'warren.desktop.compression',
  desktopClipboard: 'warren.desktop.clipboard',
  bulkJobs: 'warren.bulkJobs',
  panelPinned: 'warren.device.pinned',
};
