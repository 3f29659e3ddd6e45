import { project } from '../../jest.preset.mjs';

export default project(import.meta.dirname, {
  globalSetup: '@warren/infra/jest-setup',
  globalTeardown: '@warren/infra/jest-teardown',
});
