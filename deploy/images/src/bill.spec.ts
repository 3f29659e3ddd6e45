import { describe, expect, it } from '@jest/globals';
import { billOf, componentsOf, debianComponentsOf } from './bill.ts';

const lock = {
  '': { version: '1.0.0' },
  'services/a': { version: '1.0.0', license: 'Apache-2.0' },
  'node_modules/near': {
    version: '2.0.0',
    license: 'MIT',
    integrity: `sha512-${Buffer.from('ab').toString('base64')}`,
  },
  'node_modules/x/node_modules/@w/far': { version: '3.0.0' },
};
const near = { name: 'near', version: '2.0.0', folder: 'node_modules/near', licence: 'MIT', needs: [] };
const own = { name: '@w/a', version: '1.0.0', folder: 'services/a', licence: 'Apache-2.0', needs: [near] };
const image = { name: 'warren-a', version: '1.0.0' };

describe('what an image is made of', () => {
  it('is listed with licence, hash and what needs what, each once', () => {
    const { components, dependencies } = billOf(image, lock, [own, near, near], []);
    expect(components).toEqual([
      expect.objectContaining({ name: '@w/a', purl: 'pkg:npm/%40w/a@1.0.0', licenses: [{ expression: 'Apache-2.0' }] }),
      expect.objectContaining({ purl: 'pkg:npm/near@2.0.0', hashes: [{ alg: 'SHA-512', content: '6162' }] }),
    ]);
    expect(dependencies).toEqual([
      { ref: 'pkg:npm/%40w/a@1.0.0', dependsOn: ['pkg:npm/near@2.0.0'] },
      { ref: 'pkg:npm/near@2.0.0', dependsOn: [] },
    ]);
  });

  it('is refused when what is installed is not what was locked', () => {
    expect(() => billOf(image, lock, [{ ...near, version: '2.0.1' }], [])).toThrow(
      'node_modules/near is 2.0.1, package-lock.json has 2.0.0',
    );
    expect(() => billOf(image, lock, [{ ...near, folder: 'node_modules/gone' }], [])).toThrow(
      'package-lock.json has none',
    );
  });

  it('may be all that another lock file names', () => {
    expect(componentsOf(lock).map(({ purl }) => purl)).toEqual(['pkg:npm/near@2.0.0', 'pkg:npm/%40w/far@3.0.0']);
  });

  it('may hold Debian packages', () => {
    const list = 'libicu78 (78.3-2 Debian:unstable [armhf])\nzlib1g (1:1.3.2-4 Debian:unstable [armhf])\n';
    expect(debianComponentsOf(list).map(({ purl }) => purl)).toEqual([
      'pkg:deb/debian/libicu78@78.3-2?arch=armhf',
      'pkg:deb/debian/zlib1g@1%3A1.3.2-4?arch=armhf',
    ]);
  });
});
