import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '@warren/platform/config/load';
import { hostname } from 'node:os';
import { tunnelsConfig } from './config.ts';

const GIVEN = { NATS_URL: 'nats://127.0.0.1:4222', REDIS_URL: 'redis://127.0.0.1:6379' };

describe('the environment of the tunnels process', () => {
  it('has the addresses of a local start as defaults, and origins without a slash', () => {
    const config = tunnelsConfig.parse({ ...GIVEN, HUB_URL: 'https://hub.example.com/' });
    expect(config).toMatchObject({ HOST: '127.0.0.1', PORT: 9090, OPS_PORT: 9084, HUB_URL: 'https://hub.example.com' });
    expect(config.ADVERTISED_URL).toBe('http://127.0.0.1:9090');
  });

  it('advertises its host name where a container has no chosen name', () => {
    const config = tunnelsConfig.parse({ ...GIVEN, ADVERTISED_URL: 'http://{hostname}:9090' });
    expect(config.ADVERTISED_URL).toBe(`http://${hostname().toLowerCase()}:9090`);
  });

  it.each([{ ADVERTISED_URL: 'http://x/path' }, { HUB_URL: 'hub' }, { TRUSTED_HOPS: 'everyone' }, { MAX_LINKS: '0' }])(
    'is refused with %o',
    (wrong) => {
      expect(tunnelsConfig.safeParse({ ...GIVEN, ...wrong }).success).toBe(false);
    },
  );

  it('says of each variable that is missing or wrong what was expected, with an example', () => {
    const wrong = Object.fromEntries(Object.keys(tunnelsConfig.shape).map((name) => [name, '\t']));
    const missing = problemsOf(tunnelsConfig, {});
    const lines = [...missing, ...problemsOf(tunnelsConfig, wrong)];
    expect(missing.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeGreaterThanOrEqual(14);
    expect(lines.filter((line) => !/: expected .*(, such as | or )/.test(line))).toEqual([]);
  });
});
