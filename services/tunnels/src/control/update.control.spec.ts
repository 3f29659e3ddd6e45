import { expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { UpdateState, type OfferUpdateRequest } from '@warren/proto/agent/v1/agent';
import type { Credentials } from '../links/credentials.ts';
import type { Links } from '../links/links.ts';
import { UpdateControl } from './update.control.ts';

const answering = (state: number) => {
  const agent = {
    offerUpdate: async () => ({ state, why: '', terminals: 1_000, crashes: 1_000_000, downloaded: 2n ** 64n - 1n }),
  };
  const links = { get: () => ({ alive: true, agent, gone: new AbortController().signal }) };
  const credentials = { get: async () => ({ name: 'pi' }) };
  return new UpdateControl(links as unknown as Links, credentials as unknown as Credentials);
};
const offer = { offer: 'o', version: '1.0.0', back: false } as OfferUpdateRequest;
const stateOf = async (state: number) =>
  (await answering(state).offer(serviceCaller('devices'), { deviceId: 'd', offer })).answer.state;

const states = Object.values(UpdateState).filter((state): state is UpdateState => typeof state === 'number');

it.each(states.map((state) => [UpdateState[state], state] as const))(
  'passes on that an update is %s',
  async (_, state) => {
    expect(await stateOf(state)).toBe(state);
  },
);

it('passes on no unknown state, and no impossible number', async () => {
  for (const state of [-1, 99]) expect(await stateOf(state)).toBe(UpdateState.UNSPECIFIED);
  const { answer } = await answering(UpdateState.FAILED).offer(serviceCaller('devices'), { deviceId: 'd', offer });
  expect(answer).toMatchObject({ terminals: 64, crashes: 10_000, downloaded: 2n ** 40n });
});
