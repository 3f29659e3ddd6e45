import { describe, expect, it } from '@jest/globals';
import { Fault } from '../errors/fault.ts';
import { decodeCaller, encodeCaller, serviceCaller } from './caller.ts';
import { decodeFault, encodeFault } from './wire.ts';

describe('a fault on the wire', () => {
  it('comes back whole, text beyond ASCII and line breaks included', () => {
    const fault = new Fault('already_exists', 'Grüße:\n “Acme” is taken', {
      subject: 'Übernahme',
      problems: [{ field: 'name', message: 'taken' }],
      retryAfter: 3,
      otherAccount: true,
    });
    const { hdrs, body } = encodeFault(fault);
    expect(decodeFault(hdrs, body)).toMatchObject({
      code: 'already_exists',
      message: 'Grüße:\n “Acme” is taken',
      subject: 'Übernahme',
      problems: [{ field: 'name', message: 'taken' }],
      retryAfter: 3,
      otherAccount: true,
    });
    const plain = encodeFault(new Fault('not_found', 'account 1.'));
    expect(decodeFault(plain.hdrs, plain.body)?.otherAccount).toBe(false);
  });
});

describe('a caller on the wire', () => {
  it('comes back as it was', () => {
    const caller = serviceCaller('gateway', 'request-1');
    expect(decodeCaller(encodeCaller(caller))).toEqual(caller);
  });

  it.each(['', 'AAAA', '%%%'])('is refused when the header is %j', (header) => {
    expect(() => decodeCaller(header)).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });
});
