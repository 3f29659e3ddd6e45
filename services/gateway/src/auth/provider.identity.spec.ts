import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { SamlIdentitySchema } from '@warren/proto/identity/v1/identity';
import { identityOf } from './provider.identity.ts';

const format = (name: string) => `urn:oasis:names:tc:SAML:${name}`;
const of = (nameId: string, nameIdFormat: string) =>
  identityOf(create(SamlIdentitySchema, { provider: 'work', nameId, nameIdFormat, email: 'ann@hub.test' }));

describe('the identity of a sign-in', () => {
  it.each([
    ['a persistent name', '_7f3a', '2.0:nameid-format:persistent', '_7f3a'],
    ['an unspecified one', 'ann', '1.1:nameid-format:unspecified', 'ann'],
    ['another address than the one that counts', 'ann@corp.test', '1.1:nameid-format:emailAddress', 'ann@corp.test'],
    ['the address itself, in any spelling', 'Ann@hub.test', '1.1:nameid-format:emailAddress', ''],
    ['the address as an unspecified name', 'ann@hub.test', '1.1:nameid-format:unspecified', ''],
    ['a name that changes each time', '_93bc', '2.0:nameid-format:transient', ''],
  ])('by %s', (_what, nameId, name, subject) => {
    expect(of(nameId, format(name))).toEqual({ provider: 'work', subject });
  });
});
