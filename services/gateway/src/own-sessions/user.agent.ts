/** Chosen in this order: most browsers name older ones that they are compatible with. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
  ['curl', /^curl\//],
];

const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

/**
 * Names a browser and its system for people, such as `Firefox on Linux`; empty for what is not known. A browser chooses what it
 * says, so nothing is decided by it.
 * @param userAgent the header of that name (RFC 9110, section 10.1.5)
 */
export function browserOf(userAgent: string): string {
  const named = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return [named(BROWSERS), named(SYSTEMS)].filter((name) => name !== undefined).join(' on ');
}
