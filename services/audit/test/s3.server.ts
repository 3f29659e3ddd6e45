import { serverFolder } from '@warren/infra/folder';
import { findProgram } from '@warren/infra/programs';
import { startServer, type Server } from '@warren/infra/server';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const BUCKET = 'recordings';
const OWN = join(import.meta.dirname, '../../../.warren/tools/versitygw');

/** A real server of S3 over a folder, which tests kill and hang. */
export class S3Server {
  private constructor(
    readonly server: Server,
    private readonly folder: string,
  ) {}

  static async start(): Promise<S3Server> {
    const program = existsSync(OWN) ? OWN : findProgram('versitygw');
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
    return new S3Server(server, folder);
  }

  get settings(): NodeJS.ProcessEnv {
    return {
      RECORDINGS_BUCKET: BUCKET,
      RECORDINGS_PREFIX: 'hub/',
      RECORDINGS_ENDPOINT: this.server.url,
      RECORDINGS_PATH_STYLE: 'Yes',
      RECORDINGS_ACCESS_KEY: 'access',
      RECORDINGS_SECRET_KEY: 'secret-of-tests',
    };
  }

  /** The folder of the objects. */
  get objects(): string {
    return join(this.folder, 'data', BUCKET, 'hub');
  }
}
