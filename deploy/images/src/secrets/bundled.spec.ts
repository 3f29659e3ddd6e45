import { describe, expect, it } from '@jest/globals';
import { createPublicKey } from 'node:crypto';
import { readCallerKeys } from '@warren/platform/rpc/caller.keys';
import { bundledValues } from './bundled.ts';

const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'tunnels'];
const CONFIG = { name: 'b', services: SERVICES, users: [...SERVICES, 'doctor'], database: 'db:5432', version: '0.2.0' };
const without = (values: Record<string, string | undefined>, ...names: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))) as Record<string, string>;

describe('the Secret of bundled servers', () => {
  it('has a different value in each key, and addresses with the passwords', () => {
    const made = bundledValues(undefined, CONFIG);
    const secrets = Object.entries(made).filter(([name]) => !/-url$|^unsigned-calls/.test(name));
    expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
    expect(bundledValues(undefined, CONFIG)['session-key']).not.toBe(made['session-key']);
    for (const name of ['identity', 'tenancy', 'devices'])
      expect(made[`${name}-url`]).toBe(`postgres://warren_${name}:${made[`postgres-${name}`]}@db:5432/warren`);
    expect(made['unsigned-calls']).toBe('refuse');
  });

  it('has keys by which services know one another', () => {
    const made = bundledValues(undefined, CONFIG);
    for (const name of SERVICES) {
      const config = {
        CALLER_KEY: made[`caller-${name}`],
        CALLER_KEYS: made['caller-keys'],
        UNSIGNED_CALLS: 'refuse' as const,
      };
      expect(readCallerKeys(name, config).known?.size).toBe(SERVICES.length);
    }
  });

  it('keeps all that is there, and derives addresses again from a password that was changed', () => {
    const made = bundledValues(undefined, CONFIG);
    expect(bundledValues(made, CONFIG)).toEqual(made);
    const changed = { ...made, 'postgres-identity': 'p@ss/word', mine: 'x' };
    expect(bundledValues(changed, CONFIG)).toEqual({
      ...changed,
      'identity-url': 'postgres://warren_identity:p%40ss%2Fword@db:5432/warren',
    });
  });

  it('gives a new service its keys, and leaves the list of the others as it is, two keys of one included', () => {
    const before = { ...CONFIG, services: SERVICES.slice(0, 4), users: SERVICES.slice(0, 4) };
    const made = bundledValues(undefined, before);
    const second = createPublicKey(bundledValues(undefined, CONFIG)['caller-gateway'] ?? '');
    const listed = `${made['caller-keys']},gateway=${second.export({ format: 'der', type: 'spki' }).toString('base64')}`;
    const after = bundledValues({ ...made, 'caller-keys': listed }, CONFIG);
    expect(after['caller-keys']).toMatch(/,tunnels=[^,]+$/);
    expect(after['caller-keys']?.startsWith(`${listed},`)).toBe(true);
    expect(after).toMatchObject(without(made, 'caller-keys'));
  });

  it('accepts unsigned calls while pods of a release without keys are replaced', () => {
    const { version, ...rest } = CONFIG;
    const old = without(bundledValues(undefined, CONFIG), 'caller-keys', 'unsigned-calls');
    const first = bundledValues(old, CONFIG);
    expect(first['unsigned-calls']).toBe('accept');
    expect(bundledValues(first, CONFIG)['unsigned-calls']).toBe('accept');
    const next = bundledValues(first, { ...rest, version: `${version}-next` });
    expect(next['unsigned-calls']).toBe('refuse');
    expect(bundledValues(next, CONFIG)['unsigned-calls']).toBe('refuse');
  });
});
