import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { UserCallerSchema } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerKey, CALLER_KEYS } from './caller.keys.ts';
import { encodeCaller, serviceCaller, userCaller, type Caller } from '../src/rpc/caller.ts';
import { readCallerKeys, type CallerKeys, type SigningKey } from '../src/rpc/caller.keys.ts';
import { SeenCalls } from '../src/rpc/seen.calls.ts';
import { signCall, verifyCall, type SignedCall } from '../src/rpc/signature.ts';

type Name = Parameters<typeof callerKey>[0];
const read = (name: Name, more: Partial<Parameters<typeof readCallerKeys>[1]> = {}) =>
  readCallerKeys(name, { CALLER_KEY: callerKey(name), CALLER_KEYS, UNSIGNED_CALLS: 'refuse', ...more });
const own = (name: Name) => read(name).own as SigningKey;

const person = userCaller(create(UserCallerSchema, { userId: 'u1', operator: true }));
const GET = DevicesService.method.getDevice;

function callOf(caller: Caller, more: Partial<SignedCall> = {}): SignedCall {
  const deadline = String(Date.now() + 5_000);
  const said = { subject: 'devices.GetDevice', deadline, nonce: randomUUID(), caller: encodeCaller(caller) };
  return { ...said, request: Buffer.of(1), ...more };
}

/** What becomes of a call at devices. */
function receive(
  header: string,
  call: SignedCall,
  caller: Caller,
  { keys = read('devices'), method = GET, seen = new SeenCalls() } = {},
) {
  return () => verifyCall(keys as CallerKeys, header, call, { method, caller, seen });
}
const REFUSED = expect.objectContaining({ code: 'unauthenticated' });

describe('a signed call', () => {
  it('passes for a person whom the gateway vouches for, and for a service that speaks for itself', () => {
    for (const caller of [person, serviceCaller('gateway')]) {
      const call = callOf(caller);
      expect(receive(signCall(own('gateway'), call), call, caller)).not.toThrow();
    }
  });

  it.each(['identity', 'tenancy', 'devices', 'tunnels'] as const)('of %s is never of a person', (name) => {
    const call = callOf(person);
    expect(receive(signCall(own(name), call), call, person)).toThrow(REFUSED);
  });

  it('is refused when a service speaks as another one', () => {
    const caller = serviceCaller('gateway');
    const call = callOf(caller);
    expect(receive(signCall(own('tunnels'), call), call, caller)).toThrow(REFUSED);
  });

  it('is refused for a method that its signer does not call', () => {
    const caller = serviceCaller('tunnels');
    const call = callOf(caller);
    const header = signCall(own('tunnels'), call);
    expect(receive(header, call, caller, { method: DevicesService.method.reportFacts as never })).not.toThrow();
    expect(receive(header, call, caller, { method: IdentityService.method.signIn as never })).toThrow(REFUSED);
  });

  it.each<[keyof SignedCall, Partial<SignedCall>]>([
    ['subject', { subject: 'devices.DeleteDevice' }],
    ['deadline', { deadline: String(Date.now() + 60_000) }],
    ['nonce', { nonce: randomUUID() }],
    ['caller', { caller: encodeCaller(userCaller(create(UserCallerSchema, { userId: 'u2' }))) }],
    ['request', { request: Buffer.of(2) }],
  ])('is refused when its %s is changed', (_part, change) => {
    const call = callOf(person);
    const header = signCall(own('gateway'), call);
    expect(receive(header, { ...call, ...change }, person)).toThrow(REFUSED);
  });

  it.each(['', '0', String(Date.now() + 3_600_000)])('is refused with the deadline %j', (deadline) => {
    const call = callOf(person, { deadline });
    const refusal = receive(signCall(own('gateway'), call), call, person);
    // One that has passed is the server's to refuse.
    if (deadline === '0') expect(refusal).not.toThrow();
    else expect(refusal).toThrow(REFUSED);
  });

  it.each(['.', 'x.y', `${own('gateway').id}.`, `${own('gateway').id}.AAAA`])('is refused as %j', (header) => {
    expect(receive(header, callOf(person), person)).toThrow(REFUSED);
  });
});

describe('a signed call that comes again', () => {
  it('is refused; another one that asks for the same is not', () => {
    const seen = new SeenCalls();
    const call = callOf(person);
    const header = signCall(own('gateway'), call);
    expect(receive(header, call, person, { seen })).not.toThrow();
    expect(receive(header, call, person, { seen })).toThrow(REFUSED);
    const alike = { ...call, nonce: randomUUID() };
    expect(receive(signCall(own('gateway'), alike), alike, person, { seen })).not.toThrow();
  });

  it('is accepted after a forged one', () => {
    const seen = new SeenCalls();
    const call = callOf(person);
    expect(receive(signCall(own('tunnels'), call), call, person, { seen })).toThrow(REFUSED);
    expect(receive(`${own('gateway').id}.AAAA`, call, person, { seen })).toThrow(REFUSED);
    expect(receive(signCall(own('gateway'), call), call, person, { seen })).not.toThrow();
  });

  it.each(['', 'x', randomUUID() + randomUUID()])('needs a nonce: %j', (nonce) => {
    const call = callOf(person, { nonce });
    expect(receive(signCall(own('gateway'), call), call, person)).toThrow(REFUSED);
  });
});

describe('a call without a signature', () => {
  it('is refused, unless it is to be accepted or no keys are known', () => {
    const call = callOf(person);
    expect(receive('', call, person)).toThrow(REFUSED);
    expect(receive('', call, person, { keys: read('devices', { UNSIGNED_CALLS: 'accept' }) })).not.toThrow();
    expect(receive('', call, person, { keys: read('devices', { CALLER_KEYS: undefined }) })).not.toThrow();
  });

  it('being acceptable does not make a wrong signature so', () => {
    const call = callOf(person);
    const keys = read('devices', { UNSIGNED_CALLS: 'accept' });
    expect(receive(signCall(own('tunnels'), call), call, person, { keys })).toThrow(REFUSED);
  });
});

describe('keys', () => {
  const pem = () =>
    createPrivateKey({ key: Buffer.from(callerKey('gateway'), 'base64'), format: 'der', type: 'pkcs8' })
      .export({ format: 'pem', type: 'pkcs8' })
      .toString();

  it('may be PEM, and a public one a certificate', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'warren-caller-')), 'key.pem');
    writeFileSync(file, pem());
    const certificate = execFileSync(
      'openssl',
      ['req', '-x509', '-new', '-subj', '/CN=gateway', '-days', '1', '-key', file, '-outform', 'DER'],
      { stdio: 'pipe' },
    );
    const keys = read('gateway', { CALLER_KEY: pem(), CALLER_KEYS: `gateway=${certificate.toString('base64')}` });
    expect(keys.own?.id).toBe(own('gateway').id);
    expect([...(keys.known?.keys() ?? [])]).toEqual([own('gateway').id]);
  });

  it('of one service may be several, while they are rotated', () => {
    const other = CALLER_KEYS.split(',')
      .find((entry) => entry.startsWith('identity='))
      ?.replace('identity', 'gateway');
    const keys = read('devices', { CALLER_KEYS: `${CALLER_KEYS.replace(/identity=[^,]*,/, '')} ${other}` });
    const call = callOf(person);
    for (const signer of ['gateway', 'identity'] as const)
      expect(receive(signCall(own(signer), call), call, person, { keys })).not.toThrow();
  });

  it.each([
    [{ CALLER_KEY: 'AAAA' }, /^CALLER_KEY:/],
    [{ CALLER_KEYS: 'gateway=AAAA' }, /^CALLER_KEYS:/],
    [{ CALLER_KEYS: CALLER_KEYS.replace('tunnels=', 'nobody=') }, /^CALLER_KEYS:/],
    // The others would refuse every call of this process.
    [{ CALLER_KEYS: CALLER_KEYS.replace(/gateway=[^,]*,/, '') }, /^CALLER_KEYS: .* gateway$/],
    [{ CALLER_KEY: undefined }, /^CALLER_KEYS:/],
    [{ CALLER_KEY: callerKey('tunnels') }, /^CALLER_KEYS:/],
  ])('that cannot be used end the start (%#)', (more, message) => {
    expect(() => read('gateway', more)).toThrow(expect.objectContaining({ message: expect.stringMatching(message) }));
  });
});
