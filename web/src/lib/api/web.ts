import { webApi as generated } from './generated/web.ts';

/** The calls about web services. The device of a host is not cached, as the host may have moved to another account. */
export const webApi = generated.enhanceEndpoints({
  endpoints: { getDeviceByAddress: { keepUnusedDataFor: 0 } },
});
