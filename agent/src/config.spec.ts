import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.ts';

const env = { WARREN_STATE: '/state' };
const good = { hub: 'https://hub.example/', account: 'a', token: 't' };

describe('loadConfig', () => {
  it('prefers options to the environment to defaults', () => {
    expect(loadConfig('enrol', { ...good, state: '/other' }, { ...env, WARREN_TOKEN: 'not-this' })).toEqual({
      state: '/other',
      logLevel: 'info',
      hub: 'https://hub.example',
      account: 'a',
      token: 't',
    });
    const run = loadConfig('run', {}, { ...env, WARREN_SHELL_USER: '', RUNTIME_DIRECTORY: '/run/agent' });
    expect(run).toEqual({ state: '/state', runtime: '/run/agent', logLevel: 'info' });
    expect(loadConfig('run', {}, { ...env, WARREN_REBOOT_COMMAND: ' sudo  -n reboot' })).toMatchObject({
      rebootCommand: ['sudo', '-n', 'reboot'],
    });
    expect(loadConfig('status', { wait: '5' }, env)).toMatchObject({ wait: 5 });
  });

  it.each([
    [
      { ...good, hub: 'ftp://x' },
      '--hub (WARREN_HUB) is "ftp://x": expected an address such as https://hub.example.com',
    ],
    [{ ...good, account: undefined }, '--account (WARREN_ACCOUNT) is missing'],
    [
      { ...good, 'shell-user': 'a b' },
      '--shell-user (WARREN_SHELL_USER) is "a b": expected the name of a user of this device',
    ],
  ])('names what is wrong: %o', (flags, message) => {
    expect(() => loadConfig('enrol', flags, env)).toThrow(message);
  });

  it('does not show a token, even a wrong one', () => {
    const call = () => loadConfig('enrol', { ...good, token: 'secret'.repeat(200) }, env);
    expect(call).toThrow('--token (WARREN_TOKEN):');
    expect(call).not.toThrow('secret');
  });
});
