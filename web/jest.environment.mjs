import { TestEnvironment } from 'jest-environment-jsdom';

/** jsdom with the network types that it lacks, taken from Node so that they fit one another. */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    const origin = this.global.location.origin;
    class LocalRequest extends Request {
      constructor(input, init) {
        super(typeof input === 'string' ? new URL(input, origin) : input, init);
      }
    }
    Object.assign(this.global, {
      AbortController,
      AbortSignal,
      Headers,
      Request: LocalRequest,
      Response,
      TextDecoder,
      TextEncoder,
      structuredClone,
    });
    // jsdom's own has no `subtle`, and can't be assigned to.
    Object.defineProperty(this.global, 'crypto', { value: crypto, configurable: true });
  }
}
