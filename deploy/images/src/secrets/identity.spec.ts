import { describe, expect, it } from '@jest/globals';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { identityValues } from './identity.ts';

const CONFIG = { name: 'i', hub: 'hub.example.com' };

describe('the identity provider of the installation test', () => {
  it('has a key, its certificate, and metadata with that certificate', async () => {
    const made = await identityValues(undefined, CONFIG);
    const certificate = new X509Certificate(made['tls.crt'] ?? '');
    expect(certificate.checkPrivateKey(createPrivateKey(made['tls.key'] ?? ''))).toBe(true);
    expect(certificate.validToDate.getFullYear()).toBe(new Date().getFullYear() + 10);
    expect(made['metadata.xml']).toContain(`<X509Certificate>${certificate.raw.toString('base64')}</X509Certificate>`);
  });

  it('keeps a pair, follows the name of the hub, and replaces a pair that does not belong together', async () => {
    const made = await identityValues(undefined, CONFIG);
    const moved = await identityValues(made, { ...CONFIG, hub: 'other.example.com' });
    expect(moved).toMatchObject({ 'tls.key': made['tls.key'], 'tls.crt': made['tls.crt'] });
    expect(moved['metadata.xml']).toContain('installation-test.invalid/other.example.com');
    const other = await identityValues(undefined, CONFIG);
    const mixed = await identityValues({ ...made, 'tls.crt': other['tls.crt'] ?? '' }, CONFIG);
    expect(mixed['tls.crt']).not.toBe(other['tls.crt']);
  });
});
