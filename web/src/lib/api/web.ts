import { webApi as generated } from './generated/web.ts';

/** The calls that open a device's web page. Which device has an address is asked each time: it may be somebody else's now. */
export const webApi = generated.enhanceEndpoints({
  endpoints: { getDeviceByAddress: { keepUnusedDataFor: 0 } },
});
