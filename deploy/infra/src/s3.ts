import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { serverFolder } from './folder.ts';
import { findProgram } from './programs.ts';
import { startServer, type Server } from './server.ts';

const COMPILED = join(import.meta.dirname, '../../../.warren/tools/versitygw');

/** A server of S3 with one bucket over a folder, which tests read, kill and hang. */
export interface S3Server extends Server {
  bucket: string;
  /** What the bucket holds, as files. */
  folder: string;
  accessKey: string;
  secretKey: string;
}

/**
 * Starts one, by the program that `make programs` compiles or the system has.
 * @throws Error without that program
 */
export async function startS3(bucket: string): Promise<S3Server> {
  const program = existsSync(COMPILED) ? COMPILED : findProgram('versitygw');
  if (!program) throw new Error('program not found: versitygw; make programs compiles it');
  const [accessKey, secretKey] = ['access', 'secret-of-tests'];
  const home = await serverFolder('s3');
  const root = join(home, 'data');
  const folder = join(root, bucket);
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey };
  const server = await startServer({}, home, (host, port) =>
    Promise.resolve({
      url: `http://${host}:${port}`,
      spec: {
        name: 's3',
        command: program,
        args: ['--quiet', '--port', `${host}:${port}`, 'posix', root],
        env,
        log: join(home, 's3.log'),
        ready: () => fetch(`http://${host}:${port}`),
      },
    }),
  );
  return Object.assign(server, { bucket, folder, accessKey, secretKey });
}
