import { describe, expect, it } from '@jest/globals';
import { chartValue } from '@warren/infra/chart';
import { problemsOf } from '@warren/platform/config/load';
import { authorizationOf, remoteWriteConfig, remoteWriteProblems } from './remote-write.config.ts';

const URL = 'https://prometheus.example.com/api/v1/write';
const problems = (env: NodeJS.ProcessEnv) => problemsOf(remoteWriteConfig, env, remoteWriteProblems);

describe('the settings of remote write', () => {
  it.each([
    [{}],
    [{ REMOTE_WRITE_URL: URL }],
    [{ REMOTE_WRITE_URL: URL, REMOTE_WRITE_TOKEN: 'a-token-of-tests' }],
    [{ REMOTE_WRITE_URL: URL, REMOTE_WRITE_USER: '1', REMOTE_WRITE_PASSWORD: 'x' }],
  ])('may be %j', (env) => {
    expect(problems(env)).toEqual([]);
  });

  it.each([
    [{ REMOTE_WRITE_URL: 'prometheus:9090' }, 'REMOTE_WRITE_URL: expected the address'],
    [{ REMOTE_WRITE_URL: 'https://user:password@prometheus.example.com/' }, 'REMOTE_WRITE_PASSWORD (came: a value not'],
    [{ REMOTE_WRITE_TOKEN: 'a-token-of-tests' }, 'REMOTE_WRITE_URL: expected the address'],
    [{ REMOTE_WRITE_URL: URL, REMOTE_WRITE_TOKEN: 'a token of tests' }, 'REMOTE_WRITE_TOKEN: expected 8'],
    [{ REMOTE_WRITE_URL: URL, REMOTE_WRITE_USER: 'a' }, 'REMOTE_WRITE_PASSWORD: expected the password'],
    [{ REMOTE_WRITE_URL: URL, REMOTE_WRITE_PASSWORD: 'a' }, 'REMOTE_WRITE_USER: expected the user'],
  ])('are not %j', (env, problem) => {
    expect(problems(env)).toEqual([expect.stringContaining(problem)]);
  });

  it('have one kind of credentials', () => {
    const both = {
      REMOTE_WRITE_URL: URL,
      REMOTE_WRITE_USER: 'a',
      REMOTE_WRITE_PASSWORD: 'b',
      REMOTE_WRITE_TOKEN: 'c'.repeat(9),
    };
    expect(problems(both)).toEqual([expect.stringContaining('came: both')]);
  });

  it('become a header', () => {
    const of = (env: NodeJS.ProcessEnv) => authorizationOf(remoteWriteConfig.parse(env));
    expect(of({})).toBeUndefined();
    expect(of({ REMOTE_WRITE_TOKEN: 'a-token-of-tests' })).toBe('Bearer a-token-of-tests');
    expect(of({ REMOTE_WRITE_USER: 'Aladdin', REMOTE_WRITE_PASSWORD: 'open sesame' })).toBe(
      'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    );
  });

  it.each([
    ...['', URL, 'http://10.0.0.1:9090/api/v1/write', 'https://p.example.com?tenant=a@b', 'ftp://host/', 'prometheus'],
    ...['https://tenant:pw@mimir.example.com/', 'https://tenant@mimir.example.com/api/v1/push'],
  ])('agree with the chart about the address %j', (url) => {
    const accepted = url === '' || remoteWriteConfig.safeParse({ REMOTE_WRITE_URL: url }).success;
    expect(chartValue('fleet.remoteWrite.url').accepts(url)).toBe(accepted);
  });

  it.each(['', 'tenant-1', 'Tenant 1', 'a:b', 'a\nb', 'x'.repeat(257)])(
    'agree with the chart about the user %j',
    (user) => {
      const accepted = user === '' || remoteWriteConfig.safeParse({ REMOTE_WRITE_USER: user }).success;
      expect(chartValue('fleet.remoteWrite.user').accepts(user)).toBe(accepted);
    },
  );
});
