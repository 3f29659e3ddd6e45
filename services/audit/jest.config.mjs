import { project } from '../../jest.preset.mjs';

export default project(import.meta.dirname, {
  globalSetup: '@warren/infra/jest-setup',
  setupFiles: ['@warren/infra/jest-worker'],
  globalTeardown: '@warren/infra/jest-teardown',
});
