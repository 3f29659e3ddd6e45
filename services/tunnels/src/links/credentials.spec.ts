import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { Credentials } from './credentials.ts';

const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

describe('Credentials', () => {
  it('asks again when the device changes while it is asked for', async () => {
    const asked: ((name: string) => void)[] = [];
    const getDeviceCredentials = () =>
      new Promise((resolve) => {
        asked.push((name) =>
          resolve({
            credentials: [
              { deviceId: 'd1', publicKey, accountId: 'a1', sshEnabled: true, name, vncIp: '127.0.0.1', vncPort: 5900 },
            ],
          }),
        );
      });
    const credentials = new Credentials({ getDeviceCredentials } as never);
    const got = credentials.get('d1');
    credentials.forget('d1');
    asked[0]?.('before');
    await Promise.resolve();
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    asked[1]?.('after');
    expect((await got).name).toBe('after');
  });
});
