import { project } from '../jest.preset.mjs';

export default project(import.meta.dirname, {
  testEnvironment: 'jsdom',
  setupFilesAfterEnv: ['<rootDir>/src/testing/setup.ts'],
  moduleNameMapper: {
    '\\.module\\.css$': '<rootDir>/src/testing/css-module.ts',
    '\\.css$': '<rootDir>/src/testing/no-css.ts',
  },
});
