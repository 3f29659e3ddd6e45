import { readFileSync } from 'node:fs';

/**
 * One Jest setting for every project: TypeScript through swc as ES modules, workspace packages from their sources.
 * Unit tests stand beside the code as `*.spec.ts`; tests that need PostgreSQL, Redis or NATS are in `test/` as `*.int.spec.ts`.
 * @param {string} dir the project's folder (`import.meta.dirname`)
 * @param {import('jest').Config} [more] what this project adds
 * @returns {import('jest').Config}
 */
export function project(dir, more = {}) {
  const { name } = JSON.parse(readFileSync(`${dir}/package.json`, 'utf8'));
  return {
    displayName: name.replace('@warren/', ''),
    rootDir: dir,
    runtime: `${import.meta.dirname}/tools/src/jest/runtime.ts`,
    testEnvironment: `${import.meta.dirname}/tools/src/jest/environment.ts`,
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json', 'node'],
    testMatch: ['<rootDir>/{src,test}/**/*.spec.{ts,tsx}'],
    testPathIgnorePatterns: process.env.WARREN_SOAK ? [] : ['\\.soak\\.spec\\.'],
    // Against hanging only: longer than any wait inside of a test, whose error says more than a timeout does.
    testTimeout: 180_000,
    transform: {
      '^.+\\.tsx?$': [
        '@swc/jest',
        {
          jsc: {
            target: 'es2024',
            parser: { syntax: 'typescript', tsx: true, decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
          },
          module: { type: 'es6' },
          sourceMaps: 'inline',
        },
      ],
    },
    ...more,
  };
}
