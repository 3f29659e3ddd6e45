import { isLoopback } from './loopback.ts';

/** The set variables; empty values are left out. */
export type Given = Readonly<Record<string, string | undefined>>;

/** Describes the problem of a variable; undefined for none. */
type Rule = (given: Given) => string | undefined;

/** Passwords of examples, images and installers. */
const DEFAULT_PASSWORDS = new Set(
  `password passw0rd postgres redis nats warren secret changeme change-me change_me changeit admin administrator root test
   testing example guest user default letmein qwerty 12345678 123456789 1234567890 password1 password123 development`.split(
    /\s+/,
  ),
);
const MIN_PASSWORD = 8;
const GENERATED = 'expected a password generated for it, such as `openssl rand -hex 24` makes';

/** Whether a password is well known or easy to guess. */
function isWeakPassword(password: string, user = ''): boolean {
  const plain = password.toLowerCase();
  return plain.length < MIN_PASSWORD || DEFAULT_PASSWORDS.has(plain) || plain === user.toLowerCase();
}

function urlsOf(text: string): URL[] {
  const scheme = /^[a-z]+:\/\//i.exec(text)?.[0] ?? '';
  const parts = text.split(',').map((part) => (/^[a-z]+:\/\//i.test(part.trim()) ? part.trim() : scheme + part.trim()));
  return parts.filter((part) => URL.canParse(part)).map((part) => new URL(part));
}

/** A password in an address is no default; an address beyond this machine has one, or credentials beside it. */
function credentials(name: string, beside: RegExp): Rule {
  return (given) => {
    const urls = urlsOf(given[name] ?? '');
    const has = (url: URL) => url.username !== '' || url.password !== '' || url.searchParams.has('password');
    for (const url of urls.filter(has)) {
      const password = decodeURIComponent(url.password || url.searchParams.get('password') || '');
      // NATS takes a token as a user without a password.
      const token = name === 'NATS_URL' && password === '' ? decodeURIComponent(url.username) : undefined;
      if (token === undefined ? password !== '' && isWeakPassword(password, url.username) : isWeakPassword(token)) {
        return `${GENERATED} (came: a default, or one of fewer than ${MIN_PASSWORD} characters)`;
      }
    }
    if (Object.keys(given).some((other) => beside.test(other))) return undefined;
    const open = urls.find((url) => url.hostname !== '' && !isLoopback(url.hostname) && !secret(name, url));
    return open && `${GENERATED} (came: none for ${open.hostname})`;
  };
}

function secret(name: string, url: URL): boolean {
  const byCertificate = url.searchParams.has('sslcert') || url.searchParams.has('sslkey');
  return (
    url.password !== '' ||
    url.searchParams.has('password') ||
    byCertificate ||
    (name === 'NATS_URL' && url.username !== '')
  );
}

function given(name: string, what: string): Rule {
  return (all) => (all[name] === undefined ? `expected ${what} (came: not set)` : undefined);
}

function https(name: string): Rule {
  return (all) =>
    all[name]?.startsWith('http:') && !/^(true|yes|1|on|y|enabled)$/i.test(all['ALLOW_INSECURE_HTTP'] ?? '')
      ? `expected https in production (came: ${JSON.stringify(all[name])}); ALLOW_INSECURE_HTTP=true overrides this`
      : undefined;
}

/** Pages of devices under the hub's own name would get, and set, its cookies. */
const apart: Rule = ({ HUB_URL, DEVICE_DOMAIN }) => {
  if (!HUB_URL || !DEVICE_DOMAIN || !URL.canParse(HUB_URL)) return undefined;
  const [hub, domain] = [new URL(HUB_URL).hostname, DEVICE_DOMAIN.toLowerCase().replace(/:\d+$/, '')];
  return hub === domain || hub.endsWith(`.${domain}`)
    ? `expected a domain that the hub's own host is not in (came: ${JSON.stringify(DEVICE_DOMAIN)}, and the hub is ${hub})`
    : undefined;
};

const RULES: readonly (readonly [variable: string, rule: Rule])[] = [
  ['HUB_URL', given('HUB_URL', 'the public address, such as https://hub.example.com')],
  ['HUB_URL', https('HUB_URL')],
  ['DEVICE_DOMAIN', given('DEVICE_DOMAIN', 'the domain of device pages, such as devices.example.com')],
  ['DEVICE_DOMAIN', apart],
  ['ADVERTISED_URL', given('ADVERTISED_URL', 'where gateways reach this replica, such as http://10.0.0.7:9090')],
  ['DATABASE_URL', credentials('DATABASE_URL', /^(DATABASE_(PASSWORD|TLS_CERT|CERT)|PGPASSWORD|PGSSLCERT)/)],
  ['REDIS_URL', credentials('REDIS_URL', /^REDIS_(PASSWORD|TLS_CERT|CERT)/)],
  ['NATS_URL', credentials('NATS_URL', /^NATS_(CREDS|CREDENTIALS|NKEY|TOKEN|USER|PASSWORD|TLS_CERT|CERT)/)],
  ['SMTP_URL', ({ SMTP_URL = '' }) => weakMail(SMTP_URL)],
];

/** A mail server may accept mail without a password, but not with a well-known one. */
function weakMail(text: string): string | undefined {
  const [url] = urlsOf(text);
  return url?.password && isWeakPassword(decodeURIComponent(url.password), url.username) ? GENERATED : undefined;
}

/** `DATABASE_PASSWORD`, `SIMULATION_SECRET`: variables that are nothing but a secret. */
function weakSecrets(all: Given, names: readonly string[]): string[] {
  return names
    .filter((name) => /(PASSWORD|SECRET|TOKEN)$/.test(name) && all[name] !== undefined && isWeakPassword(all[name]))
    .map((name) => `${name}: ${GENERATED} (came: a default, or one of fewer than ${MIN_PASSWORD} characters)`);
}

/**
 * Finds settings that production refuses: development addresses, plain http, well-known passwords.
 * @param given the environment
 * @param names the variables that the process reads; ignores others
 * @returns a line per problem, with the variable's name and what was expected; never a secret
 */
export function productionProblems(all: Given, names: readonly string[]): string[] {
  const problems = RULES.filter(([name]) => names.includes(name)).flatMap(([name, rule]) => {
    const problem = rule(all);
    return problem ? [`${name}: ${problem}`] : [];
  });
  return [...problems, ...weakSecrets(all, names)];
}
