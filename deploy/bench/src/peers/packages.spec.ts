import { describe, expect, it } from '@jest/globals';
import { firstFault } from './packages.ts';

describe('firstFault', () => {
  it('takes the line of npm that says why', () => {
    const stderr =
      'npm warn old\nnpm error code ETARGET\nnpm error notarget No matching version found\nnpm error more\n';
    expect(firstFault(Object.assign(new Error('Command failed: npm install\nnpm warn old'), { stderr }))).toBe(
      'notarget No matching version found',
    );
  });

  it('skips what only a program can use', () => {
    const stderr =
      'npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error errno ECONNREFUSED\nnpm error FetchError: refused\n';
    expect(firstFault(Object.assign(new Error('Command failed'), { stderr }))).toBe('FetchError: refused');
  });

  it("takes the system's word when npm itself was not there", () => {
    expect(firstFault(Object.assign(new Error('spawn npm ENOENT'), { stderr: '' }))).toBe('spawn npm ENOENT');
  });
});
