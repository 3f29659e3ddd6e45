import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { until } from '@warren/infra/until';
import { registry } from '@warren/platform/telemetry/metrics';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { SamlProvider } from './saml.provider.ts';

const DESCRIPTOR =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.test/">';
const PLACE =
  '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/>';

/** A certificate as metadata carries it. */
async function key(notAfterDate?: Date): Promise<string> {
  const options = { keySize: 2048, algorithm: 'sha256', ...(notAfterDate && { notAfterDate }) } as const;
  const { cert } = await generate([{ name: 'commonName', value: 'idp' }], options);
  return cert.replace(/-----[^-]+-----|\s/g, '');
}
const metadata = (keys: string[], attributes = '') => {
  const descriptors = keys.map(
    (text) =>
      `<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
  );
  const inside = `<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${attributes}>${descriptors.join('')}${PLACE}</IDPSSODescriptor>`;
  return `${DESCRIPTOR}${inside}</EntityDescriptor>`;
};

let folder: string;
let file: string;
let keys: [string, string];
let provider: SamlProvider;

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(join(tmpdir(), 'warren-provider-'));
  file = join(folder, 'idp.xml');
  keys = await Promise.all([key(), key()]);
});
afterEach(() => provider.stop());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Creates a provider that has tried to read its metadata once. @returns it, and the error */
async function read(text: string, canSign = false): Promise<unknown> {
  await writeFile(file, text);
  provider = new SamlProvider({ id: 'a', name: 'A', metadata: file, listed: true }, { production: false, canSign });
  return provider.refresh();
}
/** Reads a metric of the provider; undefined if it is absent. */
async function measured(name: string): Promise<number | undefined> {
  const { values } = (await registry.getSingleMetric(`warren_gateway_idp_${name}`)?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels['provider'] === 'a')?.value;
}
const count = () => provider.metadata.certificates.length;

describe('a provider that rotates its key', () => {
  it('is accepted with both keys, then with the new one, as its file lists them', async () => {
    await read(metadata([keys[0]]));
    await provider.start();
    const [first] = provider.metadata.certificates;
    await writeFile(file, metadata(keys));
    await until(() => count() === 2);
    expect(provider.metadata.certificates).toContain(first);
    await writeFile(file, metadata([keys[1]]));
    await until(() => count() === 1);
    expect(provider.metadata.certificates).not.toContain(first);
  });

  it('is accepted with the new one that was read while a message was verified with the old one', async () => {
    await read(metadata([keys[0]]));
    const used = provider.metadata.certificates;
    await expect(provider.readAgain(used)).resolves.toBe(false);
    await writeFile(file, metadata([keys[1]]));
    await provider.refresh();
    await expect(provider.readAgain(used)).resolves.toBe(true);
    await expect(provider.readAgain(provider.metadata.certificates)).resolves.toBe(false);
  });
});

describe('metadata that becomes unreadable', () => {
  it.each<[string, () => Promise<void>]>([
    ['broken', () => writeFile(file, '<EntityDescriptor')],
    ['gone', () => rm(file)],
  ])('because it is %s stays in use as it was', async (_why, spoil) => {
    await read(metadata([keys[0]]));
    await spoil();
    await expect(provider.refresh()).resolves.toHaveProperty('message');
    expect(count()).toBe(1);
  });

  it('expires at its validUntil', async () => {
    await read(metadata([keys[0]], 'validUntil="2001-01-01T00:00:00Z"'));
    expect(() => provider.metadata).toThrow(/can't be used now/);
  });
});

describe('a provider that requires signed requests', () => {
  const text = () => metadata([keys[0]], 'WantAuthnRequestsSigned="true"');

  it('is refused by a hub without a key, with the variables to set', async () => {
    await expect(read(text())).resolves.toMatchObject({ message: expect.stringContaining('SAML_KEY_FILE') });
    expect(() => provider.metadata).toThrow(/can't be used now/);
  });

  it('is used by a hub with a key', async () => {
    await read(text(), true);
    expect(count()).toBe(1);
  });
});

describe('the metrics of a provider', () => {
  it('show whether it is usable, and when its metadata was read last', async () => {
    await read('<EntityDescriptor');
    expect(await measured('metadata_usable')).toBe(0);
    const before = await measured('metadata_checked_timestamp_seconds');
    await writeFile(file, metadata([keys[0]]));
    await provider.refresh();
    expect(await measured('metadata_usable')).toBe(1);
    expect(await measured('metadata_checked_timestamp_seconds')).toBeGreaterThan(before ?? 0);
    expect(await measured('metadata_valid_until_timestamp_seconds')).toBeUndefined();
  });

  it('keep the time of the last read if reading fails, and show it as unusable after expiry', async () => {
    await read(metadata([keys[0]], 'validUntil="2001-01-01T00:00:00Z"'));
    expect(await measured('metadata_usable')).toBe(0);
    expect(await measured('metadata_valid_until_timestamp_seconds')).toBe(Date.parse('2001-01-01T00:00:00Z') / 1_000);
    const before = await measured('metadata_checked_timestamp_seconds');
    await rm(file);
    await provider.refresh();
    expect(await measured('metadata_checked_timestamp_seconds')).toBe(before);
  });

  it('show when its last certificate expires', async () => {
    const [soon, later] = [new Date('2030-01-01T00:00:00Z'), new Date('2031-01-01T00:00:00Z')];
    await read(metadata([await key(later), await key(soon)]));
    expect(await measured('certificate_expiry_timestamp_seconds')).toBe(later.getTime() / 1_000);
  });
});
