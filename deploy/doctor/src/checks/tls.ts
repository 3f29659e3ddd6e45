import { connect, type DetailedPeerCertificate } from 'node:tls';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';
import { devicePage } from '../places.ts';
import { authorities, lookup } from '../request.ts';

const { ok, warn, fail } = findings('tls');
const TIMEOUT_MS = 10_000;
const SOON_DAYS = 21;
const DAY_MS = 24 * 3600_000;

interface Seen {
  /** Why the chain or the name is not trusted. */
  problem: string | undefined;
  validTo: Date;
  protocol: string;
}

function look(url: URL, options: Options): Promise<Seen> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
      lookup,
      ...authorities(options),
    });
    const timer = setTimeout(() => socket.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
    socket.once('secureConnect', () => {
      const certificate: DetailedPeerCertificate = socket.getPeerCertificate(true);
      // Node has an Error here, unlike its types.
      const error = socket.authorizationError as Error | string | undefined;
      const problem = socket.authorized ? undefined : error instanceof Error ? error.message : String(error);
      resolve({ problem, validTo: new Date(certificate.valid_to), protocol: socket.getProtocol() ?? '' });
      socket.destroy();
    });
    socket.once('error', reject).once('close', () => clearTimeout(timer));
  });
}

async function checkOne(url: URL, options: Options): Promise<Finding> {
  const where = url.host;
  const seen = await look(url, options).catch((error: unknown) => reason(error));
  if (typeof seen === 'string') return fail(`${where}: ${seen}`, 'Let the ingress answer TLS there.');
  const days = Math.floor((seen.validTo.getTime() - Date.now()) / DAY_MS);
  if (days < 0) {
    const ended = seen.validTo.toISOString().slice(0, 10);
    return fail(
      `${where}: the certificate ended on ${ended}`,
      'See why it has not been renewed; until then nobody connects.',
    );
  }
  if (seen.problem) {
    return fail(
      `${where}: ${seen.problem}`,
      'Serve a certificate with this name and its whole chain; agents and browsers refuse this one. HUB_CA_FILE names an authority of your own.',
    );
  }
  if (days < SOON_DAYS) {
    return warn(`${where}: the certificate ends in ${days} days`, 'See why it has not been renewed.');
  }
  return ok(`${where}: ${seen.protocol}, the certificate is good for ${days} days`);
}

/** Checks chain, names and remaining days of the certificates of the hub and of web services. */
export async function checkTls(options: Options): Promise<Finding[]> {
  const hub = new URL(options.HUB_URL);
  if (hub.protocol === 'http:') {
    return [
      warn(`${hub.origin} is plain http`, 'Fit for trying out only: everybody on the way can read and change it.'),
    ];
  }
  const page = devicePage(options);
  return Promise.all([hub, ...(page ? [page] : [])].map((url) => checkOne(url, options)));
}
