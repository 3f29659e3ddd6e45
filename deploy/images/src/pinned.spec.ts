import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { dockerfile } from './places.ts';
import { digestOf, pinned, readBase } from './pinned.ts';

const one = `sha256:${'1'.repeat(64)}`;
const other = `sha256:${'2'.repeat(64)}`;

describe('the digest of the base image', () => {
  it('stands in the Dockerfile', async () => {
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

  it('is the one of its own repository', () => {
    const found = JSON.stringify([`mirror/node@${one}`, `registry:5000/node@${other}`]);
    expect(digestOf(found, 'registry:5000/node:24')).toBe(other);
    expect(() => digestOf('[]', 'node:24')).toThrow('the engine knows no digest of node, only none');
  });
});
