import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const INTER = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
/** The console's weights: of text, and of emphasis. */
const WEIGHTS = { min: 400, max: 600 };
/** Kerning, tabular figures, and what places and combines characters; not the ligatures and shapes of design. */
const FEATURES = ['kern', 'tnum', 'ccmp', 'locl', 'mark'];
/** ASCII, and the punctuation of the console's own texts. */
const BASIC = [...Array.from({ length: 0x5f }, (_, index) => 0x20 + index), ...[...'\u00a0·–—‘’“”…'].map(codeOf)];

/**
 * Divides the Latin part of Inter: what the console's texts are made of loads first, and the rest once a page has such a character.
 */
export function divideInter(): Plugin {
  let folder = '';
  return {
    name: 'warren:divide-inter',
    enforce: 'pre',
    configResolved(config) {
      folder = join(config.cacheDir, 'warren-fonts');
    },
    transform: {
      filter: { id: /@fontsource-variable\/inter\/wght\.css$/ },
      async handler(css, id) {
        const file = createRequire(id).resolve(INTER);
        const text = String.fromCodePoint(...BASIC);
        const options = { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS }, keepFeatures: FEATURES } as const;
        const basic = join(folder, 'inter-basic.woff2');
        await mkdir(folder, { recursive: true });
        await writeFile(basic, await subsetFont(await readFile(file), text, options));
        return { code: `${css}\n${face(relative(dirname(id), basic))}`, map: null };
      },
    },
  };
}

/**
 * The last face with a character is the one that is taken for it (CSS Fonts 4, section 4.5), among those of equal weights: so it
 * claims all weights, and draws the nearest that it has.
 */
const face = (path: string) => `/* inter-basic */
@font-face {
  font-family: 'Inter Variable';
  font-style: normal;
  font-display: swap;
  font-weight: 100 900;
  src: url(${path}) format('woff2-variations');
  unicode-range: ${BASIC.map((code) => `U+${code.toString(16).padStart(4, '0')}`).join(',')};
}`;

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
