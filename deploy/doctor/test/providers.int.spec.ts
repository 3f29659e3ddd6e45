import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProviders } from '../src/checks/providers.ts';
import { readOptions } from '../src/options.ts';
import { unanswered } from '../src/request.ts';
import { generate } from 'selfsigned';

describe('several identity providers', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
    for (const name of ['one', 'two'])
      await writeFile(
        join(folder, `${name}.xml`),
        `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://${name}.test/"/>`,
      );
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function found(...list: [file: string, domains?: string[]][]): Promise<string[]> {
    const providers = list.map(([file, domains], at) => ({
      id: `p${at}`,
      metadata: join(folder, `${file}.xml`),
      domains,
    }));
    const env = { HUB_URL: 'http://127.0.0.1:1', SAML_PROVIDERS: JSON.stringify(providers) };
    return (await checkProviders(readOptions(env))).map(({ status, detail }) => `${status} ${detail}`);
  }

  it.each<[string, [string, string[]?][], string]>([
    ['without domains', [['one', ['a.test']], ['two']], 'fail p1: no domains beside another provider'],
    [
      'of one domain',
      [
        ['one', ['a.test']],
        ['two', ['A.test', 'b.test']],
      ],
      'fail a.test is a domain of two providers',
    ],
    [
      'of one name',
      [
        ['one', ['a.test']],
        ['one', ['b.test']],
      ],
      'fail https://one.test/ is the name of two providers',
    ],
    [
      'apart',
      [
        ['one', ['a.test']],
        ['two', ['b.test']],
      ],
      'ok the providers have different domains',
    ],
  ])('are looked at: %s', async (_what, list, line) => {
    expect(await found(...list)).toContain(line);
  });

  it('are nothing to say of where there is one', async () => {
    expect((await found(['one'])).join()).not.toMatch(/domain/);
  });

  it('say which metadata has no name, and which certificate has ended', async () => {
    const { cert } = await generate([{ name: 'commonName', value: 'idp' }], {
      keySize: 2048,
      notBeforeDate: new Date('2020-01-01T00:00:00Z'),
      notAfterDate: new Date(Date.now() - 10 * 24 * 3600_000),
    });
    const key = `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${cert.replace(/-----[^-]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo>`;
    await writeFile(
      join(folder, 'old.xml'),
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${key}</EntityDescriptor>`,
    );
    const lines = await found(['old']);
    expect(lines).toContain('fail p0: its metadata has no entityID');
    expect(lines).toContainEqual(expect.stringMatching(/^fail p0: its newest certificate ended 1[01] days ago$/));
  });

  it('answer in time, or it is said how long was waited', () => {
    expect(unanswered(new DOMException('The operation was aborted.', 'AbortError')).message).toBe('no answer in 10 s');
    expect(unanswered(new DOMException('…', 'TimeoutError')).message).toBe('no answer in 10 s');
    expect(unanswered(new Error('refused')).message).toBe('refused');
  });
});
