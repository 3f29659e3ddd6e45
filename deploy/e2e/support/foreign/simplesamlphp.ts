import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady, type Running } from '@warren/infra/process';
import { requireProgram } from '@warren/infra/programs';
import { makeKeys, type Keys } from './keys.ts';
import { configFiles, type SimpleSamlOptions } from './simplesamlphp.config.ts';

/** Where Debian puts it. */
const PROGRAM = '/usr/share/simplesamlphp/www';

/** A SimpleSAMLphp as in other organisations: an identity provider that knows nothing of Warren but its metadata. */
export class SimpleSaml {
  readonly url: string;
  readonly keys: Keys;
  private readonly folder: string;
  private readonly running: Running;

  private constructor(url: string, keys: Keys, folder: string, running: Running) {
    this.url = url;
    this.keys = keys;
    this.folder = folder;
    this.running = running;
  }

  static async start(options: SimpleSamlOptions): Promise<SimpleSaml> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-simplesamlphp-'));
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const keys = await makeKeys('SimpleSAMLphp of a test');
    for (const part of ['cert', 'metadata', 'sessions', 'data', 'log', 'tmp']) await mkdir(join(folder, part));
    const files = { ...configFiles({ ...options, folder, url }), 'cert/idp.pem': keys.key, 'cert/idp.crt': keys.cert };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    const spec = {
      name: 'SimpleSAMLphp',
      command: requireProgram('php'),
      // A page of it may ask another for something.
      args: ['-d', 'display_errors=0', '-S', `127.0.0.1:${port}`, '-t', PROGRAM],
      env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder, PHP_CLI_SERVER_WORKERS: '3' },
      log: join(folder, 'log/php.log'),
      ready: async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/saml2/idp/metadata.php?output=xml`);
        const text = await answer.text();
        if (!text.includes('IDPSSODescriptor')) throw new Error(`it answers ${answer.status}`);
      },
    };
    const running = withWorkers(launch(spec));
    try {
      await untilReady(spec, running);
    } catch (error) {
      await running.stop();
      throw error;
    }
    return new SimpleSaml(url, keys, folder, running);
  }

  get metadataUrl(): string {
    return `${this.url}/saml2/idp/metadata.php?output=xml`;
  }

  /** Makes the hub known to it, by what the hub publishes. */
  async trust(hubMetadata: string): Promise<void> {
    await writeFile(join(this.folder, 'metadata/hub.xml'), hubMetadata);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** PHP's server leaves its workers behind when it ends; they are of its group. */
function withWorkers(running: Running): Running {
  const stop = async () => {
    await running.stop();
    try {
      process.kill(-running.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return { ...running, stop };
}
