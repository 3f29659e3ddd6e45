import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A text that nothing else has. */
export const mark = (): string => randomBytes(5).toString('hex');

/** The body of an alert rule that no device meets. */
export function alertRule(account: string): Record<string, unknown> {
  const condition = { filter: 'site=matrix', condition: 'temperature>150', minutes: 10 };
  return { account, name: `Matrix ${mark()}`, kind: 'condition', severity: 'info', ...condition };
}

/** The body of a channel to a webhook that refuses connections: the discard port (RFC 863). */
export function webhook(account: string): Record<string, unknown> {
  return { account, name: `Matrix ${mark()}`, kind: 'webhook', target: { url: 'https://127.0.0.1:9/matrix' } };
}

/** The body of a stream to the same. */
export function streamBody(account: string): Record<string, unknown> {
  return { account, name: `Matrix ${mark()}`, kind: 'webhook', url: 'https://127.0.0.1:9/matrix' };
}

/** The body of a grant that finds no device. */
export function grantBody(): Record<string, unknown> {
  return { subject: { kind: 'everyone' }, permissions: ['view'], filter: `site=matrix-${mark()}` };
}

/** The body of an access request that finds no device. */
export function accessRequest(): Record<string, unknown> {
  return { filter: `site=matrix-${mark()}`, permissions: ['view'], reason: 'Matrix', minutes: 15 };
}

/** Rules of an account that takes access requests and allows guest links; the sessions of the matrix stay recent while it runs. */
export function accessRules(): Record<string, unknown> {
  const recent = { minutes: 1_440, terminals: false, manage: false, grants: false };
  const requests = { requests: true, longest_minutes: 60, approver_group: null, second_approver: false };
  return { ...requests, guest_links: true, observe_terminals: false, recent_sign_in: recent };
}

/** The body of a guest link. */
export function guestLinkBody(): Record<string, unknown> {
  return { purpose: 'terminal', minutes: 60, pin: null, uses: 20 };
}

/** The body of a service account. */
export function serviceAccountBody(): Record<string, unknown> {
  return { name: `Matrix ${mark()}`, description: '', role: 'Member' };
}

/** The time in 24 hours. */
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** The body of an enrolment, with a new key. */
export function enrolment(account: string, token: string, serial: string): Record<string, unknown> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const proof = sign(null, Buffer.from(`warren-enrol:${token}`), privateKey).toString('base64url');
  const facts = { hostname: serial, privateIp: '10.9.8.7', cpuCores: 4, os: 'Debian GNU/Linux 13 (trixie)' };
  return { account, token, public_key: publicKey.export({ format: 'jwk' }).x, proof, serial, facts };
}

/** A change of a key that no device has. */
export function rotation(): Record<string, unknown> {
  const device = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
  const [one, two] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const [oldKey, newKey] = [one, two].map(({ publicKey }) => publicKey.export({ format: 'jwk' }).x);
  const text = Buffer.from(`warren-rotate:${device}:${oldKey}:${newKey}`);
  const [oldProof, newProof] = [one, two].map(({ privateKey }) => sign(null, text, privateKey).toString('base64url'));
  return { device_id: device, old_key: oldKey, new_key: newKey, old_proof: oldProof, new_proof: newProof };
}

/** A machine that has the key of no device. */
export function separation(): Record<string, unknown> {
  const { device_id, new_key, old_proof, new_proof } = rotation();
  return { device_id, serial: 'matrix-other', new_key, old_proof, new_proof, facts: { hostname: 'matrix-other' } };
}

/** Settings of recordings as an account has them at first. */
export const recordingSettings = {
  policy: 'off',
  filter: '',
  days: null,
  quota: null,
  full: 'drop_oldest',
  redactions: [],
  search: true,
  desktops: false,
};
