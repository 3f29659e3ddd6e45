import type { NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsConfig } from '../config/common.ts';
import { readNamedFile } from '../config/file.ts';
import { ConfigError } from '../config/load.ts';

/**
 * Which servers to connect to, as whom, and whether by TLS.
 * @throws ConfigError for settings that contradict each other, or a file that can't be read
 */
export function natsServers(config: NatsConfig): NodeConnectionOptions {
  const { NATS_USER: user, NATS_PASSWORD: pass, NATS_CERT_FILE: cert, NATS_KEY_FILE: key } = config;
  const servers = config.NATS_URL.split(',').map((server) => server.trim());
  const secure = servers.some((server) => server.startsWith('tls:'));
  if (Boolean(user) !== Boolean(pass)) throw new ConfigError('NATS_USER and NATS_PASSWORD: expected both or neither');
  if (Boolean(cert) !== Boolean(key))
    throw new ConfigError('NATS_CERT_FILE and NATS_KEY_FILE: expected both or neither');
  const files = { ca: config.NATS_CA_FILE, cert, key };
  if (!secure && Object.values(files).some(Boolean)) {
    throw new ConfigError('NATS_CA_FILE, NATS_CERT_FILE: expected nothing unless NATS_URL begins with tls://');
  }
  return {
    // TLS is asked for by `tls` below; the library knows hosts only.
    servers: servers.map((server) => server.replace(/^tls:/, 'nats:')),
    ...(user && pass && { user, pass }),
    ...(secure && { tls: contents(files) }),
  };
}

function contents({ ca, cert, key }: { ca?: string | undefined; cert?: string | undefined; key?: string | undefined }) {
  return {
    ...(ca && { ca: readNamedFile('NATS_CA_FILE', ca) }),
    ...(cert && { cert: readNamedFile('NATS_CERT_FILE', cert) }),
    ...(key && { key: readNamedFile('NATS_KEY_FILE', key) }),
  };
}
