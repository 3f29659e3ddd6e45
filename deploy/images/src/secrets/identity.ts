import { createPrivateKey, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import type { Values } from './bundled.ts';
import type { IdentityConfig } from './config.ts';

const YEARS = 10;

/**
 * The Secret of the identity provider of `helm test`. Keeps a key and certificate that belong together, else creates a pair: RSA with
 * 2048 bits, self-signed, valid for ten years. Derives the SAML metadata from the certificate and the hub's host name.
 * @param kept values of the Secret, or undefined if there is none
 */
export async function identityValues(kept: Values | undefined, { hub }: IdentityConfig): Promise<Values> {
  const pair = belong(kept) ? kept : await keyPair();
  return { ...kept, ...pair, 'metadata.xml': metadata(hub, pair['tls.crt'] ?? '') };
}

function belong(kept: Values | undefined): kept is Values {
  try {
    const key = createPrivateKey(kept?.['tls.key'] ?? '');
    return new X509Certificate(kept?.['tls.crt'] ?? '').checkPrivateKey(key);
  } catch {
    return false;
  }
}

async function keyPair(): Promise<Values> {
  const notAfterDate = new Date();
  notAfterDate.setFullYear(notAfterDate.getFullYear() + YEARS);
  const name = [{ name: 'commonName', value: 'Warren installation test' }];
  const made = await generate(name, { keySize: 2048, algorithm: 'sha256', notAfterDate });
  return { 'tls.key': made.private, 'tls.crt': made.cert };
}

const metadata = (
  hub: string,
  certificate: string,
) => `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://installation-test.invalid/${hub}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing">
      <KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">
        <X509Data><X509Certificate>${new X509Certificate(certificate).raw.toString('base64')}</X509Certificate></X509Data>
      </KeyInfo>
    </KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://installation-test.invalid/sso"/>
  </IDPSSODescriptor>
</EntityDescriptor>
`;
