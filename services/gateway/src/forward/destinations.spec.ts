import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Location, ReplicaDirectory } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { createRpcClient } from '@warren/platform/rpc/client';
import { LocalTransport } from '@warren/platform/rpc/local.transport';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { Destinations } from './destinations.ts';
import { GivenTokens } from './given.tokens.ts';

const TOKEN = 'a-token-given-out-here';
const QUERY = `EIO=4&transport=websocket&token=${TOKEN}&UserID=u`;
const NOW_AT = 'http://where-it-is-now';

describe('where the socket of a token goes that was given out here', () => {
  let peeked: number;
  let located: number;
  let given: GivenTokens;
  let destinations: Destinations;

  beforeEach(() => {
    peeked = 0;
    located = 0;
    given = new GivenTokens();
    const transport = new LocalTransport().serve(IdentityService, {
      peekSocketToken: async () => {
        peeked++;
        throw new Fault('permission_denied', 'used');
      },
    });
    const directory: Pick<ReplicaDirectory, 'locate'> = {
      locate: async () => {
        located++;
        return { replica: 'r', address: NOW_AT, connection: 'c', epoch: 1n } satisfies Location;
      },
    };
    const identity = createRpcClient(IdentityService, transport);
    destinations = new Destinations(identity, directory as ReplicaDirectory, given);
  });

  it('is known without a question, the first time', async () => {
    given.add(TOKEN, 'device', 'http://where-it-was');
    expect(await destinations.ofSocket(QUERY)).toEqual({ deviceId: 'device', address: 'http://where-it-was' });
    expect([peeked, located]).toEqual([0, 0]);
    await expect(destinations.ofSocket(QUERY)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(peeked).toBe(1);
  });

  it('is looked up for a device that was offline', async () => {
    given.add(TOKEN, 'device', undefined);
    expect(await destinations.ofSocket(QUERY)).toEqual({ deviceId: 'device', address: NOW_AT });
    expect([peeked, located]).toEqual([0, 1]);
  });
});
