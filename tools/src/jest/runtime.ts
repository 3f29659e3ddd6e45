import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ScriptTransformer } from '@jest/transform';

const require = createRequire(import.meta.url);
const { default: JestRuntime } = require('jest-runtime') as typeof import('jest-runtime');

const GLOBALS = 'warren:jest-globals';
const GLOBAL_NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];
const ES_MODULES = {
  collectCoverage: false,
  collectCoverageFrom: [],
  coverageProvider: 'v8',
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
} satisfies Parameters<ScriptTransformer['transform']>[1];

/** Map files of what is compiled, by the URL that stacks name. */
const sourceMaps = new Map<string, string>();
let running: { globals: () => unknown; transformer: ScriptTransformer };
let files = 0;

Object.defineProperty(globalThis, Symbol.for(GLOBALS), { get: () => running.globals() });

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: `${GLOBALS}?file=${files}`, shortCircuit: true };
    const found = nextResolve(specifier, { ...context, conditions: [...context.conditions, 'warren-source'] });
    return { ...found, url: isOfTests(found.url) ? `${found.url}?file=${files}` : found.url };
  },
  load(url, context, nextLoad) {
    if (url.startsWith(GLOBALS)) return { format: 'module', source: globalsModule(), shortCircuit: true };
    if (!/\.ts(\?|$)/.test(url)) return nextLoad(url, context);
    return { format: 'module', source: compile(url), shortCircuit: true };
  },
});

/** Says whether a module belongs to tests: each file gets it afresh, as it may keep state and set hooks. */
function isOfTests(url: string): boolean {
  return /\/test\/[^?]*\.ts$/.test(url) && !url.includes('/node_modules/');
}

function globalsModule(): string {
  return `export const { ${GLOBAL_NAMES.join(', ')} } = globalThis[Symbol.for('${GLOBALS}')];`;
}

/** Compiles the TypeScript at a `file:` URL to an ES module, or takes it from Jest's cache. */
function compile(url: string): string {
  const path = fileURLToPath(url);
  const options = { ...ES_MODULES, instrument: false };
  const { code, sourceMapPath } = running.transformer.transform(path, options, readFileSync(path, 'utf8'));
  if (sourceMapPath) sourceMaps.set(url, sourceMapPath);
  return code;
}

/**
 * Runs test files as plain modules of the worker, by Node's loader, with TypeScript compiled as Jest's configuration says. What a file
 * imports stays loaded for the next one; Jest's runtime loads it again for each file, which takes longer than most tests.
 * So modules can't be mocked, and what a module keeps, the next file finds.
 */
class NativeRuntime extends JestRuntime {
  constructor(...options: ConstructorParameters<typeof JestRuntime>) {
    super(...options);
    const [, , , transformer, , , testPath] = options;
    running = { globals: () => this.requireModuleOrMock(testPath, '@jest/globals'), transformer };
    files++;
  }

  /** Imports a test file or a file of its set-up, again for each test file. */
  override async unstable_importModule(path: string): Promise<void> {
    const url = pathToFileURL(path);
    url.searchParams.set('file', String(files));
    await import(url.href);
  }

  /** Loads a part of Jest. The one that holds a file's tests and hooks is loaded again for each. */
  override requireInternalModule<T = unknown>(path: string): T {
    if (path.endsWith('jestAdapterInit.js')) Reflect.deleteProperty(require.cache, path);
    return require(path) as T;
  }

  override requireModule<T = unknown>(from: string, name = from): T {
    return createRequire(from)(name) as T;
  }

  override getSourceMaps(): ReadonlyMap<string, string> {
    return sourceMaps;
  }
}

// Jest loads it by `require`.
export { NativeRuntime as 'module.exports' };
