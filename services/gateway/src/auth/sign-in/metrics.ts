import { registry } from '@warren/platform/telemetry/metrics';
import { Gauge } from 'prom-client';

const registers = [registry];
const labelNames = ['provider'] as const;

export const metadataUsable = new Gauge({
  name: 'warren_gateway_idp_metadata_usable',
  help: 'Whether people could sign in with the metadata of an identity provider when it was last looked at: 1, or 0.',
  labelNames,
  registers,
});

export const metadataChecked = new Gauge({
  name: 'warren_gateway_idp_metadata_checked_timestamp_seconds',
  help: 'When the metadata of an identity provider was last read, or found unchanged, in seconds since 1970.',
  labelNames,
  registers,
});

export const metadataValidUntil = new Gauge({
  name: 'warren_gateway_idp_metadata_valid_until_timestamp_seconds',
  help: 'Until when the metadata in use says that it is valid, in seconds since 1970; absent if it does not say.',
  labelNames,
  registers,
});

export const providerCertificateExpiry = new Gauge({
  name: 'warren_gateway_idp_certificate_expiry_timestamp_seconds',
  help: 'When the last signing certificate in the metadata of an identity provider expires, in seconds since 1970.',
  labelNames,
  registers,
});

export const hubCertificateExpiry = new Gauge({
  name: 'warren_gateway_saml_certificate_expiry_timestamp_seconds',
  help: 'When a certificate of the hub that providers were given expires, by use: signing or decryption, in seconds since 1970.',
  labelNames: ['use'] as const,
  registers,
});
