import type { Maker } from './makers.ts';
import { guestLinkBody } from './bodies.ts';

/** Right inputs for the operations about guest links. */
export const guestInputs: Record<string, Maker> = {
  listGuestLinks: async (place) => ({ values: { id: (await place.thing('device')).id } }),
  createGuestLink: async (place) => {
    // Makes sure that the account allows guest links.
    await place.thing('asker');
    return { values: { id: (await place.thing('device')).id, ...guestLinkBody() }, spends: 'device' };
  },
  endGuestLink: async (place) => {
    const { device, id: link } = await place.thing('guestLink');
    return { values: { id: device, link }, spends: 'guestLink' };
  },
  lookUpGuestLink: async (place) => {
    const { id, secret } = await place.thing('guestLink');
    return { values: { id, secret } };
  },
  redeemGuestLink: async (place) => {
    const { id, secret } = await place.thing('guestLink');
    return { values: { id, secret, name: 'Guest', pin: '' }, spends: 'guestLink' };
  },
  getGuestSession: () => ({ values: {} }),
  makeGuestSocketToken: () => ({ values: {} }),
  makeGuestWebAddress: () => ({ values: { secret: 's'.repeat(43) } }),
};
