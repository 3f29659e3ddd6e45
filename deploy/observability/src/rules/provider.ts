import { INSTALLATION, type Alert, type Group } from './rule.ts';

const IDP = 'warren_gateway_idp';
const DAY = 24 * 3600;

/** URLs are read hourly, files every 2 s. */
const STALE = 6 * 3600;

const each = (metric: string, by: string) => `min by (${INSTALLATION}, ${by}) (${metric})`;

const providers: Alert[] = [
  {
    name: 'WarrenIdpUnusable',
    expr: `${each(`${IDP}_metadata_usable`, 'provider')} == 0 or ${each(`${IDP}_metadata_valid_until_timestamp_seconds`, 'provider')} <= time()`,
    lasts: '5m',
    severity: 'critical',
    summary: 'Sign-in with {{ $labels.provider }} fails: its metadata is missing, wrong or expired.',
  },
  {
    name: 'WarrenIdpMetadataStale',
    expr: `time() - ${each(`${IDP}_metadata_checked_timestamp_seconds`, 'provider')} > ${STALE}`,
    lasts: '10m',
    severity: 'warning',
    summary: 'The metadata of {{ $labels.provider }} was last read {{ $value | humanizeDuration }} ago.',
  },
  {
    name: 'WarrenSamlCertificateExpires',
    expr: `${each(`${IDP}_certificate_expiry_timestamp_seconds`, 'provider')} - time() < ${30 * DAY} or ${each('warren_gateway_saml_certificate_expiry_timestamp_seconds', 'use')} - time() < ${30 * DAY}`,
    lasts: '1h',
    severity: 'warning',
    summary:
      'The {{ with $labels.provider }}signing certificate of {{ . }}{{ else }}certificate of the hub for SAML {{ $labels.use }}{{ end }} expires in {{ $value | humanizeDuration }}.',
  },
];

const HUB = 'warren_gateway_hub_certificate';
const EXPIRY = `${HUB}_expiry_timestamp_seconds`;
const smallest = (series: string) => each(series, 'of');

/** For a short-lived certificate, the last quarter of its lifetime, after automatic renewal. Unknown certificates have no series. */
const hub: Alert[] = [
  {
    name: 'WarrenHubCertificateExpires',
    expr: `${smallest(EXPIRY)} - time() < ${14 * DAY} and ${smallest(`(${EXPIRY} - time()) / (${EXPIRY} - ${HUB}_issued_timestamp_seconds > 0)`)} < 0.25`,
    lasts: '15m',
    severity: 'critical',
    summary:
      '{{ if eq $labels.of "devices" }}The certificate of devices\' pages expires in {{ $value | humanizeDuration }}; then no browser shows them.{{ else }}The hub\'s own certificate expires in {{ $value | humanizeDuration }}; then no browser and no agent connects.{{ end }}',
  },
];

export const providerGroups: Group[] = [
  { name: 'warren-identity-providers', rules: providers },
  { name: 'warren-hub-certificate', rules: hub },
];
