import { Injectable } from '@nestjs/common';
import { SAML } from '@node-saml/node-saml';
import type { SamlProvider } from './saml.provider.ts';
import { SamlSettings } from './saml.settings.ts';
import { SamlVerifier } from './saml.verifier.ts';

/** Sends people to SAML providers. */
@Injectable()
export class SamlSignIn {
  constructor(
    private readonly settings: SamlSettings,
    private readonly verifier: SamlVerifier,
  ) {}

  /**
   * Begins a sign-in.
   * @param of `browser` is the value of its sign-in cookie, undefined over plain http; `path` is where to return to; a `trial` opens no session; `recent` has
   *   the provider ask the person again (ForceAuthn; SAML core 2.0, section 3.4.1)
   * @returns the URL at the provider
   * @throws Fault `unavailable` while the provider has no metadata
   */
  async begin(
    provider: SamlProvider,
    of: { browser: string | undefined; requestId: string | undefined; path: string; trial?: boolean; recent?: boolean },
  ): Promise<string> {
    const { path, ...owner } = of;
    const saml = new SAML(this.settings.for(provider, owner));
    const address = await saml.getAuthorizeUrlAsync(path, undefined, {});
    this.verifier.expectAnswer();
    return address;
  }
}
