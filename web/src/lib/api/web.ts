import { webApi as generated } from './generated/web.ts';

/** Opens a device's web service. The device of an address is looked up each time: the address may have moved to another account. */
export const webApi = generated.enhanceEndpoints({
  endpoints: { getDeviceByAddress: { keepUnusedDataFor: 0 } },
});
