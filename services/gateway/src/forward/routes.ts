/** What upgrades are for: a browser's session on a device, an agent's link, or a page of a device. */
export type UpgradeKind = 'socket' | 'agent' | 'web';

const KINDS: Readonly<Record<string, UpgradeKind>> = {
  '/socketsio': 'socket',
  '/socketsio/': 'socket',
  '/agent/connect': 'agent',
};

/** Undefined for a path where nothing is upgraded. */
export function upgradeKind(path: string): UpgradeKind | undefined {
  return Object.hasOwn(KINDS, path) ? KINDS[path] : undefined;
}
