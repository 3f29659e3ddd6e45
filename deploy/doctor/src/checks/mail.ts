import { resolve4, resolve6, resolveMx } from 'node:dns/promises';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';

const { ok, warn, fail, skip } = findings('mail');
const TIMEOUT_MS = 10_000;
/** Hosts for which a connection without TLS is acceptable. */
const LOCAL = /^(localhost|127\.|\[::1\]$)/;

interface Reached {
  secure: boolean;
  /** Whether the server accepted the user and password; undefined without a user. */
  signedIn: boolean | undefined;
}

/** Connects like the services, with STARTTLS if available, and signs in. Sends no mail. */
function reach(url: URL): Promise<Reached> {
  const user = decodeURIComponent(url.username);
  const connection = new SMTPConnection({
    ...Object.fromEntries([...url.searchParams].map(([name, value]) => [name, value === 'true' || value])),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port ? { port: Number(url.port) } : {}),
    secure: url.protocol === 'smtps:',
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return new Promise<Reached>((resolve, reject) => {
    connection.once('error', reject);
    connection.connect(() => {
      const { secure } = connection;
      if (!user) return resolve({ secure, signedIn: undefined });
      connection.login({ user, pass: decodeURIComponent(url.password) }, (error) =>
        error ? reject(error) : resolve({ secure, signedIn: true }),
      );
    });
  }).finally(() => connection.close());
}

function adviceFor(code: string | undefined, text: string): string {
  if (code === 'EAUTH') return 'See the user and password in SMTP_URL.';
  if (code === 'ETLS' || /certificate/i.test(text))
    return 'See the server’s certificate; a private authority belongs into NODE_EXTRA_CA_CERTS.';
  return 'See whether the mail server runs, and the address and port.';
}

async function server(url: URL): Promise<Finding[]> {
  const where = url.host;
  try {
    const { secure, signedIn } = await reach(url);
    const as = signedIn ? `, and takes ${decodeURIComponent(url.username)}` : '';
    if (secure || LOCAL.test(url.hostname)) return [ok(`${where} answers${secure ? ' with TLS' : ''}${as}`)];
    return [
      warn(
        `${where} answers without TLS${as}`,
        'Invitations can be read on the way: use smtps:// or ?requireTLS=true.',
      ),
    ];
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const text = code === 'ETIMEDOUT' ? `no answer in ${TIMEOUT_MS / 1000} s` : reason(new Error(message));
    return [fail(`${where}: ${text}`, adviceFor(code, text))];
  }
}

/** Checks that the sender's domain accepts mail: servers refuse senders of unregistered domains (RFC 5321, 5.1). */
async function sender({ MAIL_FROM, HUB_URL }: Options): Promise<Finding> {
  const address = /<([^<>]+)>$/.exec(MAIL_FROM ?? '')?.[1] ?? MAIL_FROM ?? `no-reply@${new URL(HUB_URL).hostname}`;
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const records = await Promise.allSettled([resolveMx(domain), resolve4(domain), resolve6(domain)]);
  if (records.some(({ status }) => status === 'fulfilled')) return ok(`mail comes from ${address}`);
  return warn(
    `mail comes from ${address}, and ${domain} takes none`,
    'Set MAIL_FROM to an address of a domain with an MX record: many servers refuse others.',
  );
}

/** Checks the mail server: the connection, TLS, the user, and the sender's domain. */
export async function checkMail(options: Options): Promise<Finding[]> {
  if (!options.SMTP_URL) return [skip('mail', 'Set SMTP_URL.')];
  return [...(await server(new URL(options.SMTP_URL))), await sender(options)];
}
