import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { mapPort } from './mapped.ts';
import { openTcp } from './raw.ts';

describe('mapPort', () => {
  it('carries what a client sends to the far end and back, and ends with its connections', async () => {
    const far = net.createServer((socket) => socket.pipe(socket).on('error', () => {})).listen(0, '127.0.0.1');
    await once(far, 'listening');
    const { port: farPort } = far.address() as net.AddressInfo;
    const mapped = await mapPort({ name: 'echo', open: () => openTcp(farPort) });
    const client = net.connect(mapped.port, '127.0.0.1');
    client.write('hello');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toBe('hello');
    const closed = once(client, 'close');
    await mapped.stop();
    await closed;
    far.close();
    await once(far, 'close');
  });

  it('closes the connection when the far end can not be reached', async () => {
    const mapped = await mapPort({ name: 'none', open: () => Promise.reject(new Error('not there')) });
    const client = net.connect(mapped.port, '127.0.0.1').on('error', () => {});
    await once(client, 'close');
    await mapped.stop();
  });
});
