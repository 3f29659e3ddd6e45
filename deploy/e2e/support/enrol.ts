import { generateKeyPairSync, sign } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';

const GiB = 1024 ** 3;

/** What a made-up device says of itself. */
export interface MadeDevice {
  hostname: string;
  ip: string;
  model?: string;
}

function facts({ hostname, ip, model = 'Raspberry Pi 4 Model B Rev 1.5' }: MadeDevice) {
  return {
    hostname,
    privateIp: ip,
    model,
    cpuCores: 4,
    cpuUsage: 7.5,
    totalRam: String(4 * GiB),
    usedRam: String(1.25 * GiB),
    totalDisk: String(32 * GiB),
    usedDisk: String(11 * GiB),
    os: 'Debian GNU/Linux 12 (bookworm)',
    kernel: '6.6.31',
    arch: 'arm64',
    uptimeSeconds: '86400',
    agentVersion: '0.1.0',
  };
}

/**
 * Enrols a device with a new key by the call that an agent makes; no agent runs for it.
 * @returns its id
 */
export async function enrolDevice(
  request: APIRequestContext,
  account: string,
  token: string,
  made: MadeDevice,
): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  const proof = sign(null, Buffer.from(`warren-enrol:${token}`), privateKey).toString('base64url');
  const serial = `e2e-${made.hostname}`;
  const data = { account, token, public_key: x, proof, serial, facts: facts(made) };
  const response = await request.post('/agent/enrol', { data });
  if (response.status() !== 201)
    throw new Error(`enrol ${made.hostname}: ${response.status()} ${await response.text()}`);
  return ((await response.json()) as { device_id: string }).device_id;
}
