import { describe, expect, it } from '@jest/globals';
import { browserOf } from './user.agent.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('browserOf', () => {
  it.each([
    ['Firefox on Linux', `${MOZILLA} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`],
    ['Chrome on Windows', `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`],
    [
      'Edge on Windows',
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    ],
    [
      'Opera on macOS',
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`,
    ],
    [
      'Safari on macOS',
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    ],
    [
      'Safari on iOS',
      `${MOZILLA} (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Firefox on iOS',
      `${MOZILLA} (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    ],
    ['Chrome on Android', `${MOZILLA} (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`],
    ['Chrome on ChromeOS', `${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`],
    ['Chrome on Linux', `${MOZILLA} (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/142.0.0.0 Safari/537.36`],
    ['curl', 'curl/8.14.1'],
    ['', 'something else'],
    ['', ''],
  ])('is %p for %s', (browser, userAgent) => {
    expect(browserOf(userAgent)).toBe(browser);
  });
});
