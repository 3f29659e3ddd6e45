import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { dockerfile } from './places.ts';
import { digestOf, pinned, readBase } from './pinned.ts';

const one = `sha256:${'1'.repeat(64)}`;
const other = `sha256:${'2'.repeat(64)}`;

describe('the digest of the base image', () => {
  it('is in the Dockerfile', async () => {
    const { tag, digest } = readBase(await readFile(dockerfile, 'utf8'));
    expect(tag).toBe('node:24-bookworm-slim');
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is written beside the tag, where there was one or none', () => {
    for (const before of ['', `@${one}`]) {
      const text = `# first\nARG BASE_IMAGE=registry:5000/node:24${before}\nFROM x\n`;
      expect(pinned(text, other)).toBe(`# first\nARG BASE_IMAGE=registry:5000/node:24@${other}\nFROM x\n`);
    }
    expect(() => readBase('FROM node:24\n')).toThrow('no line ARG BASE_IMAGE=');
  });

  it('is the one that the tag has now, as docker pull says', () => {
    const said = [
      '24-bookworm-slim: Pulling from library/node',
      `Digest: ${one}`,
      'Status: Image is up to date for node:24',
    ];
    expect(digestOf(said.join('\n'), 'node:24')).toBe(one);
    expect(() => digestOf('Status: Downloaded', 'node:24')).toThrow(
      'node:24: docker pull says no digest: Status: Down',
    );
  });
});
