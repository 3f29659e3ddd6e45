/*
 * The settings of services that a bundle shows. Their schemas are in services/<name>/src/config.ts; a test compares them with this table.
 */

const COMMON = {
  shown: [
    'NODE_ENV',
    'LOG_LEVEL',
    'OPS_HOST',
    'OPS_PORT',
    'OTEL_TRACES_SAMPLER_ARG',
    'NATS_USER',
    'UNSIGNED_CALLS',
    'NATS_CA_FILE',
    'NATS_CERT_FILE',
    'NATS_KEY_FILE',
  ],
  secret: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'NATS_URL', 'NATS_PASSWORD', 'CALLER_KEY', 'CALLER_KEYS'],
};
const REDIS = {
  shown: ['REDIS_MODE', 'REDIS_NODES', 'REDIS_USER', 'REDIS_CA_FILE'],
  secret: ['REDIS_URL', 'REDIS_PASSWORD', 'REDIS_SENTINEL_PASSWORD'],
};
const DATABASE = { shown: ['DATABASE_CA_FILE', 'DATABASE_POOL'], secret: ['DATABASE_URL', 'DATABASE_PASSWORD'] };

interface Settings {
  /** Shown with their values. */
  readonly shown: readonly string[];
  /** Shown as `set` or `not set`. */
  readonly secret: readonly string[];
}

const settings = (shown: string[], secret: string[], ...parts: Settings[]): Settings => ({
  shown: [...parts.flatMap((part) => part.shown), ...shown],
  secret: [...parts.flatMap((part) => part.secret), ...secret],
});

const QUOTAS = ['QUOTA_DEVICES', 'QUOTA_USERS', 'QUOTA_SESSIONS', 'QUOTA_SOCKETS', 'QUOTA_API_CALLS', 'QUOTA_TRAFFIC'];

/** The settings of each service. */
export const SETTINGS: Readonly<Record<string, Settings>> = {
  gateway: settings(
    [
      ...['HOST', 'PORT', 'HUB_URL', 'DEVICE_DOMAIN', 'STUDIO_ORIGIN', 'CONSOLE_DIR', 'TRUST_PROXY', 'RATE_LIMITS'],
      ...['AGENT_PACKAGES_DIR', 'AGENT_RELEASES_DIR', 'AGENT_RELEASE_KEY', 'AGENT_INSTALLER', 'ACCESS_LOG'],
      ...['SAML_PROVIDERS', 'SAML_CLOCK_TOLERANCE', 'SAML_KEY_FILE', 'SAML_CERT_FILE', 'SAML_DECRYPTION_KEY_FILE'],
      ...['SAML_DECRYPTION_CERT_FILE', 'SAML_DECRYPTION_OLD_KEY_FILE', 'OPERATOR_EMAIL', 'SETTINGS_EMAILS'],
      ...['WEBSSH_EMAILS', 'ALLOW_INSECURE_HTTP', 'OIDC_PROVIDERS', 'OIDC_CLOCK_TOLERANCE'],
    ],
    [],
    COMMON,
    REDIS,
  ),
  identity: settings(
    ['UNSEALED_SESSIONS', 'SESSION_IDLE_SECONDS', 'SESSION_ABSOLUTE_SECONDS'],
    ['SESSION_KEY'],
    COMMON,
    REDIS,
    DATABASE,
  ),
  tenancy: settings(
    ['OPERATOR_EMAIL', 'OPERATOR_ACCOUNT', 'HUB_URL', 'MAIL_FROM', 'BACKUP_MAX_AGE_HOURS', 'DNS_SERVERS', ...QUOTAS],
    ['SMTP_URL'],
    COMMON,
    REDIS,
    DATABASE,
  ),
  devices: settings(['DEVICE_DOMAIN', 'ROLLOUT_TRIAL_SECONDS', ...QUOTAS], [], COMMON, REDIS, DATABASE),
  fleet: settings(
    [
      ...['METRICS_HISTORY', 'METRICS_MONTHS', 'HUB_URL', 'MAIL_FROM', 'NOTIFY_PRIVATE_ADDRESSES'],
      ...['REMOTE_WRITE_USER'],
    ],
    ['SMTP_URL', 'CHANNEL_KEY', 'REMOTE_WRITE_URL', 'REMOTE_WRITE_PASSWORD', 'REMOTE_WRITE_TOKEN'],
    COMMON,
    REDIS,
    DATABASE,
  ),
  audit: settings(
    [
      ...['AUDIT_MONTHS', 'AUDIT_FORMER_KEYS', 'AUDIT_STREAM_FOLDER', 'HUB_URL', 'NOTIFY_PRIVATE_ADDRESSES'],
      ...['RECORDINGS_FOLDER', 'RECORDINGS_BUCKET', 'RECORDINGS_PREFIX', 'RECORDINGS_ENDPOINT', 'RECORDINGS_REGION'],
      ...['RECORDINGS_PATH_STYLE', 'RECORDINGS_DAYS', 'RECORDINGS_QUOTA_GIB'],
    ],
    ['AUDIT_KEY', 'CHANNEL_KEY', 'RECORDINGS_ACCESS_KEY', 'RECORDINGS_SECRET_KEY'],
    COMMON,
    DATABASE,
    REDIS,
  ),
  tunnels: settings(
    [
      ...['HOST', 'PORT', 'ADVERTISED_URL', 'HUB_URL', 'DEVICE_DOMAIN', 'TRUSTED_HOPS', 'MAX_LINKS', 'MAX_SOCKETS'],
      ...['MAX_DEVICE_STREAMS', 'MAX_ACCOUNT_STREAMS', 'MAX_DEVICE_BUFFER', 'MAX_ACCOUNT_BUFFER'],
      ...['MAX_DEVICE_FRAMES', 'MAX_ACCOUNT_FRAMES', 'MAX_HANDSHAKES'],
    ],
    [],
    COMMON,
    REDIS,
  ),
};

/** Placeholder for a value from a Kubernetes Secret, which the bundle can't read. */
export const FROM_SECRET = Symbol('from a Secret');

export type Environment = Readonly<Record<string, string | typeof FROM_SECRET>>;

/** Lists the settings of a service, a line each: values, and `set` or `not set` for secrets. */
export function describeSettings(service: string, environment: Environment): string {
  const { shown = [], secret = [] } = SETTINGS[service] ?? {};
  const lines = [...shown, ...secret].map((name) => {
    const value = environment[name];
    // Without a colon, after which the redactor would treat `set` as a secret.
    const label = name.padEnd(30);
    if (value === undefined || value === '') return `${label} not set`;
    return `${label} ${typeof value === 'symbol' || secret.includes(name) ? 'set' : JSON.stringify(value)}`;
  });
  return `${lines.sort().join('\n')}\n`;
}

const SECRET_NAME = /PASSWORD|PASSWD|SECRET|TOKEN|KEY|CREDENTIAL|PASSPHRASE/i;
const SECRETS = new Set(Object.values(SETTINGS).flatMap(({ secret }) => secret));
const SHOWN = new Set(Object.values(SETTINGS).flatMap(({ shown }) => shown));
/** Minimum length of a secret; a shorter text may be part of any word. */
const MIN_LENGTH = 6;

/** Lists the secrets in a process's environment, including passwords in URLs. */
export function secretsIn(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    const found = passwordsOf(value);
    // The host of a URL is no secret.
    const whole = SECRETS.has(name) && !value.includes('://');
    const named = SECRET_NAME.test(name) && !SHOWN.has(name) && !name.endsWith('_FILE');
    if (whole || named) found.push(value, ...value.split(','));
    return found.map((text) => text.trim()).filter((text) => text.length >= MIN_LENGTH);
  });
}

function passwordsOf(value: string): string[] {
  return [...value.matchAll(/:\/\/([^\s"'<>,]*)@/g)].flatMap(([, user = '']) => {
    const password = user.includes(':') ? user.slice(user.indexOf(':') + 1) : user;
    return [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
