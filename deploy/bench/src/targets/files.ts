import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, portRefusal } from '@warren/infra/ports';
import { launch, untilReady, type Running } from '@warren/infra/process';
import { findProgram } from '@warren/infra/programs';

export const SMALL = '/small';
export const LARGE = '/large';
const SIZES = { [SMALL]: 1_024, [LARGE]: 1 << 20 };

/** A web server as a device has one: nginx with a file of 1 KB and one of 1 MB. */
export class Files {
  readonly port: number;
  private readonly folder: string;
  private readonly running: Running;

  private constructor(port: number, folder: string, running: Running) {
    this.port = port;
    this.folder = folder;
    this.running = running;
  }

  /** Undefined when nginx is not installed. */
  static async start(): Promise<Files | undefined> {
    const command = findProgram('nginx');
    if (!command) return undefined;
    const folder = await mkdtemp(join(tmpdir(), 'warren-bench-nginx-'));
    // Started by root, its worker runs as another user, who must reach the files.
    await chmod(folder, 0o711);
    await mkdir(join(folder, 'files'));
    for (const [path, size] of Object.entries(SIZES))
      await writeFile(join(folder, 'files', path), Buffer.alloc(size, 'x'));
    const port = await freePort();
    await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
    const spec = {
      name: 'nginx',
      command,
      args: ['-p', folder, '-c', join(folder, 'nginx.conf')],
      log: join(folder, 'log'),
      ready: async () => {
        if (!(await portRefusal('127.0.0.1', port))) throw new Error(`nothing listens on port ${port}`);
      },
    };
    const running = launch(spec);
    await untilReady(spec, running);
    return new Files(port, folder, running);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function configuration(folder: string, port: number): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; root ${folder}/files; default_type text/plain; }
}
`;
}
