import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { launch, untilReady, type ProcessSpec, type Running } from '@warren/infra/process';
import { requireProgram } from '@warren/infra/programs';

/** What stands behind the front, and under which names people reach it. */
export interface Fronted {
  /** The hub's origin. */
  url: string;
  /** The domain of the devices' hosts, with its port. */
  domain: string;
  /** Ports of this machine. */
  gateway: number;
  tunnels: number;
}

/** Routes as those of deploy/compose/caddy, with an authority of Caddy's own. */
const configuration = ({ url, domain, gateway, tunnels }: Fronted) => `{
	skip_install_trust
	admin off
	auto_https disable_redirects
}
(balance) {
	flush_interval -1
	transport http {
		keepalive 50s
	}
}
${url} {
	bind 127.0.0.1
	tls internal
	@carried path /agent/connect /socketsio /socketsio/
	handle @carried {
		reverse_proxy 127.0.0.1:${tunnels} {
			import balance
		}
	}
	handle {
		reverse_proxy 127.0.0.1:${gateway} {
			import balance
		}
	}
}
https://*.${domain} {
	bind 127.0.0.1
	tls internal
	reverse_proxy 127.0.0.1:${tunnels} {
		import balance
	}
}
`;

/** Starts a Caddy that ends TLS in front of a copy. Its files are left in the folder. @param log file of its log */
export async function startFront(folder: string, log: string, fronted: Fronted): Promise<Running> {
  const file = join(folder, 'Caddyfile');
  await writeFile(file, configuration(fronted));
  const { hostname, port } = new URL(fronted.url);
  const spec: ProcessSpec = {
    name: 'caddy',
    command: requireProgram('caddy'),
    args: ['run', '--config', file],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    log,
    ready: async () => {
      const socket = connect({
        port: Number(port),
        host: '127.0.0.1',
        servername: hostname,
        rejectUnauthorized: false,
      });
      try {
        await once(socket, 'secureConnect');
      } finally {
        socket.destroy();
      }
    },
  };
  const running = launch(spec);
  try {
    await untilReady(spec, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}
