import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

const GOOD = {
  KUBERNETES_SERVICE_HOST: '10.0.0.1',
  KUBERNETES_SERVICE_PORT: '443',
  NAMESPACE: 'hub',
  TOKEN_FILE: '/run/token',
};

describe('the environment of the Job that creates Secrets', () => {
  it('names the API server, in brackets if it has an address of IPv6', () => {
    expect(readConfig(GOOD).cluster.server).toBe('https://10.0.0.1:443');
    expect(readConfig({ ...GOOD, KUBERNETES_SERVICE_HOST: 'fd00::1' }).cluster.server).toBe('https://[fd00::1]:443');
  });

  it('makes only what is asked for', () => {
    expect(readConfig({ ...GOOD, BUNDLED_SECRET: '' })).toMatchObject({ bundled: undefined, identity: undefined });
    expect(readConfig({ ...GOOD, IDENTITY_SECRET: 'i', HUB_HOST: 'h' }).identity).toEqual({ name: 'i', hub: 'h' });
  });

  it('names every variable that is missing or wrong', () => {
    const wrong = { ...GOOD, TOKEN_FILE: 'token', IDENTITY_SECRET: 'i', LABELS: '[1]' };
    expect(() => readConfig(wrong)).toThrow(/TOKEN_FILE: .*\n/);
    expect(() => readConfig(wrong)).toThrow(/LABELS: expected a JSON object of strings/);
    const bundled = { ...GOOD, BUNDLED_SECRET: 'b', SERVICES: 'gateway', USERS: 'gateway', CHART_VERSION: '1' };
    expect(() => readConfig(bundled)).toThrow('DATABASE: expected a value');
    expect(() => readConfig({ ...GOOD, IDENTITY_SECRET: 'i' })).toThrow('HUB_HOST: expected a value');
  });
});
