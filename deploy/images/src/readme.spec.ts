import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dockerfile } from './places.ts';
import { targetNames } from './targets.ts';

describe('the README of images', () => {
  it('has a row for each image', async () => {
    const text = await readFile(join(dirname(dockerfile), 'README.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `warren\/([a-z]+)` /gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(targetNames.toSorted());
  });
});
