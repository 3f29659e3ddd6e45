import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { Plugin, Rollup } from 'vite';
import { keepUsed, usedClasses } from './used-styles.ts';

/** What Home shows at once, and the list of accounts, loaded when it is opened: each becomes one chunk. */
const PARTS = {
  first: ['src/main.tsx', 'src/features/home/HomePage.tsx'],
  select: ['src/app/layout/AccountOptions.tsx'],
};

/** Large, and each for some screens alone. */
const LARGE = {
  terminal: /node_modules\/@xterm\//,
  desktop: /node_modules\/@novnc\//,
  charts: /node_modules\/uplot\//,
  sockets: /node_modules\/(@?socket\.io|engine\.io)[^/]*\//,
  checks: /node_modules\/zod\//,
};

/**
 * Puts all of the first load into one chunk, in place of a chunk for each set of screens that share something: a hundred small requests
 * took longer than their bytes. What other screens share is a chunk for each set of large packages behind it, so that a list loads no
 * terminal. Which modules a screen needs is known only after unused code is gone, so the console is bundled once without any plan to
 * find out.
 */
export function bundleFirstLoad(): Plugin {
  const parts = new Map<string, string>();
  const shared = new Map<string, string>();
  const groups = [
    { name: (id: string) => parts.get(id) ?? null, debugName: 'first load', priority: 2 },
    { name: (id: string) => shared.get(id) ?? null, debugName: 'shared', minShareCount: 2, priority: 1 },
  ];
  let root = '';
  let conditions: string[] = [];
  let used = new Set<string>();
  return {
    name: 'warren:bundle-first-load',
    apply: 'build',
    // Before Vite has made a module of a style sheet.
    enforce: 'pre',
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }),
    configResolved(config) {
      root = config.root;
      conditions = config.resolve.conditions;
    },
    async buildStart() {
      const chunks = await withoutPlan(root, conditions);
      used = usedClasses(chunks.map(({ code }) => code));
      for (const [part, modules] of Object.entries(PARTS)) {
        for (const chunk of modules.flatMap((module) => closure(module, chunks))) {
          for (const id of chunk.moduleIds) if (!parts.has(id)) parts.set(id, part);
        }
      }
      for (const chunk of chunks) {
        const name = ['shared', ...largeOf(chunk, chunks)].join('-');
        for (const id of chunk.moduleIds) shared.set(id, name);
      }
    },
    transform: {
      filter: { id: /@mantine\/core\/styles\.css$/ },
      handler: (css) => ({ code: keepUsed(css, used), map: null }),
    },
  };
}

async function withoutPlan(root: string, conditions: string[]): Promise<Rollup.OutputChunk[]> {
  const output = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [react()],
    resolve: { conditions },
    build: { write: false, minify: false, target: 'es2022', assetsInlineLimit: 0 },
  });
  return [output]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .filter((one) => one.type === 'chunk');
}

/** The names of the large packages that a chunk needs. */
function largeOf(chunk: Rollup.OutputChunk, chunks: Rollup.OutputChunk[]): string[] {
  const modules = imported(chunk, chunks).flatMap(({ moduleIds }) => moduleIds);
  return Object.entries(LARGE).flatMap(([name, pattern]) => (modules.some((id) => pattern.test(id)) ? [name] : []));
}

/** The chunk that holds a module, and all that it imports. */
function closure(module: string, chunks: Rollup.OutputChunk[]): Rollup.OutputChunk[] {
  const start = chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/${module}`)));
  if (!start) throw new Error(`No chunk holds ${module}, which the plan of the first load names.`);
  return imported(start, chunks);
}

/** A chunk and all that it imports; not what is imported later by demand. */
function imported(start: Rollup.OutputChunk, chunks: Rollup.OutputChunk[]): Rollup.OutputChunk[] {
  const found = new Set<Rollup.OutputChunk>([start]);
  for (const chunk of found) {
    for (const one of chunks) if (chunk.imports.includes(one.fileName)) found.add(one);
  }
  return [...found];
}

/** Screens that are opened by their address, and the module of each. */
const ROUTES = {
  '^/devices(/|$)': 'src/features/devices/DevicesPage.tsx',
  '^/device/ssh/': 'src/features/device/TerminalPage.tsx',
  '^/device/rdp/': 'src/features/device/DesktopPage.tsx',
  '^/users(/|$)': 'src/features/users/UsersPage.tsx',
  '^/groups(/|$)': 'src/features/groups/GroupsPage.tsx',
  '^/accounts$': 'src/features/accounts/AccountsPage.tsx',
};

/** Names in index.html the files of each screen, which `boot.js` asks for before any script of the console has run. */
export function preloadRoutes(): Plugin {
  return {
    name: 'warren:preload-routes',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === 'chunk');
        const files = Object.entries(ROUTES).map(([path, module]) => [path, filesOf(module, chunks, html)]);
        const content = JSON.stringify(files).replaceAll('"', '&quot;');
        // A function, since `$&` in a text would stand for what is replaced.
        return html
          .replace('<meta name="warren-routes" />', () => `<meta name="warren-routes" content="${content}" />`)
          .replace('</head>', () => `  ${fontLink(Object.keys(bundle ?? {}))}\n  </head>`);
      },
    },
  };
}

/** Has the font of the first load come beside the scripts, rather than after them. */
function fontLink(files: string[]): string {
  const font = files.find((file) => /inter-basic-[^/]*\.woff2$/.test(file));
  if (!font) throw new Error('The build has no font for the first load.');
  return `<link rel="preload" as="font" type="font/woff2" href="/${font}" crossorigin />`;
}

/** The files of a module's screen, without those that index.html names already. */
function filesOf(module: string, chunks: Rollup.OutputChunk[], html: string): string[] {
  const all = closure(module, chunks).flatMap((chunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set(all)].filter((name) => !html.includes(`/${name}"`));
}

/** Files that are served as they are, of which compression makes much less. */
const TEXT = /\.(js|css|html|svg)$/;
const LEAST_BYTES = 512;
const compress = promisify(brotliCompress);

/** Compresses the console's text once, as well as brotli can, beside the files themselves. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'warren:precompress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async writeBundle(_options, bundle) {
      const names = [...Object.keys(bundle), 'boot.js', 'favicon.svg'].filter((name) => TEXT.test(name));
      for (const name of names) {
        const text = await readFile(join(folder, name));
        if (text.length < LEAST_BYTES) continue;
        const small = await compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        await writeFile(join(folder, `${name}.br`), small);
      }
    },
  };
}
