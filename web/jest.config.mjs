import { project } from '../jest.preset.mjs';

export default project(import.meta.dirname, {
  // Jest's own, as pages need the globals of a browser.
  runtime: undefined,
  testEnvironment: '<rootDir>/jest.environment.mjs',
  testEnvironmentOptions: { url: 'http://hub.test/', customExportConditions: ['warren-source', 'import', 'default'] },
  setupFilesAfterEnv: ['<rootDir>/src/testing/setup.ts'],
  moduleNameMapper: {
    '\\.module\\.css$': '<rootDir>/src/testing/css-module.ts',
    '\\.css$': '<rootDir>/src/testing/no-css.ts',
    // One file instead of thousands.
    '^@tabler/icons-react$': '@tabler/icons-react/dist/cjs/tabler-icons-react.cjs',
  },
});
