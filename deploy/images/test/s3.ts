import { serverFolder } from '@warren/infra/folder';
import { findProgram } from '@warren/infra/programs';
import { startServer, type Server } from '@warren/infra/server';
import { toolsFolder } from '@warren/local/steps/go-tools';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const BUCKET = 'warren-backups';

/** An S3 server with one bucket, which is a folder. */
export class S3 {
  private constructor(
    private readonly server: Server,
    /** What the bucket holds, as files. */
    readonly folder: string,
    /** The settings of backup.sh for it. */
    readonly settings: NodeJS.ProcessEnv,
  ) {}

  static async start(): Promise<S3> {
    const own = join(toolsFolder, 'versitygw');
    const program = existsSync(own) ? own : findProgram('versitygw');
    if (!program) throw new Error('program not found: versitygw; make programs compiles it');
    const folder = await serverFolder('s3');
    const root = join(folder, 'data');
    await mkdir(join(root, BUCKET), { recursive: true });
    const env = { ...process.env, ROOT_ACCESS_KEY: 'access', ROOT_SECRET_KEY: 'secret-of-tests' };
    const server = await startServer({}, folder, (host, port) =>
      Promise.resolve({
        url: `http://${host}:${port}`,
        spec: {
          name: 's3',
          command: program,
          args: ['--quiet', '--port', `${host}:${port}`, 'posix', root],
          env,
          log: join(folder, 's3.log'),
          ready: () => fetch(`http://${host}:${port}`),
        },
      }),
    );
    return new S3(server, join(root, BUCKET), {
      WARREN_BACKUP_S3_ENDPOINT: server.url,
      WARREN_BACKUP_S3_BUCKET: BUCKET,
      WARREN_BACKUP_S3_ACCESS_KEY_ID: 'access',
      WARREN_BACKUP_S3_SECRET_ACCESS_KEY: 'secret-of-tests',
    });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** The names below a prefix, sorted. */
  async names(prefix = ''): Promise<string[]> {
    // A prefix with nothing below it is no folder.
    const names = await readdir(join(this.folder, prefix)).catch(() => []);
    return names.filter((name) => !name.startsWith('.')).sort();
  }
}
