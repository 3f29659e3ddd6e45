import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { describeSettings, FROM_SECRET, secretsIn, SETTINGS } from './settings.ts';

const SERVICES = resolve(import.meta.dirname, '../../../../services');

describe('the settings that a bundle shows', () => {
  it.each(Object.keys(SETTINGS))('name each variable of %s once, by its own schema', async (name) => {
    const module = (await import(`${SERVICES}/${name}/src/config.ts`)) as Record<string, { shape: object }>;
    const { shown = [], secret = [] } = SETTINGS[name] ?? {};
    expect([...shown, ...secret].sort()).toEqual(Object.keys(module[`${name}Config`]?.shape ?? {}).sort());
  });

  it('hide by their names all that may be secret', () => {
    const shown = Object.values(SETTINGS).flatMap((one) => one.shown);
    const suspicious = shown.filter((name) => /PASSWORD|SECRET|TOKEN|KEY|_URL/.test(name) && !name.endsWith('_FILE'));
    // Public keys, and addresses without credentials.
    const harmless = ['ADVERTISED_URL', 'AGENT_RELEASE_KEY', 'AUDIT_FORMER_KEYS', 'HUB_URL'];
    expect([...new Set(suspicious)].sort()).toEqual(harmless);
  });

  it('say of a secret that it is set, and of others what they are', () => {
    const text = describeSettings('tenancy', {
      HUB_URL: 'https://h',
      SMTP_URL: 'smtp://a:b@c',
      DATABASE_URL: FROM_SECRET,
    });
    expect(text).toMatch(/^HUB_URL +"https:\/\/h"$/m);
    expect(text).toMatch(/^SMTP_URL +set$/m);
    expect(text).toMatch(/^DATABASE_URL +set$/m);
    expect(text).toMatch(/^REDIS_URL +not set$/m);
    expect(text).not.toContain('a:b');
  });
});

describe('secrets of an environment', () => {
  it('are values of secret names, each of several, and passwords inside addresses', () => {
    expect(
      secretsIn({
        SESSION_KEY: 'first-key,second-key',
        DATABASE_URL: 'postgres://u:p%40ssword@db/warren',
        SAML_KEY_FILE: '/etc/warren/key.pem',
        PATH: '/usr/local/bin',
        NATS_PASSWORD: 'abc',
      }).sort(),
    ).toEqual(['first-key', 'first-key,second-key', 'p%40ssword', 'p@ssword', 'second-key']);
  });
});
