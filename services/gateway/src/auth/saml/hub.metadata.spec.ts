import { expect, it } from '@jest/globals';
import { hubMetadata } from './hub.metadata.ts';

it('gives providers the URLs of answers and logouts, and requests signed assertions', () => {
  const xml = hubMetadata({ HUB_URL: 'https://hub.test' }, { key: undefined, decryption: undefined });
  expect(xml).toContain('entityID="https://hub.test/auth/saml/metadata"');
  expect(xml).toMatch(/AssertionConsumerService[^>]*HTTP-POST"[^>]*Location="https:\/\/hub\.test\/auth\/saml\/acs"/);
  expect(xml).toContain('WantAssertionsSigned="true"');
  for (const binding of ['HTTP-Redirect', 'HTTP-POST']) {
    expect(xml).toMatch(
      new RegExp(`SingleLogoutService[^>]*${binding}"[^>]*Location="https://hub\\.test/auth/saml/slo"`),
    );
  }
});
