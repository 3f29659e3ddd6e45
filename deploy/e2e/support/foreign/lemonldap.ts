import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady, type Running } from '@warren/infra/process';
import { requireProgram } from '@warren/infra/programs';
import { makeKeys } from './keys.ts';
import { configFiles, type LemonldapPlace } from './lemonldap.config.ts';
import { installLemonldap } from './lemonldap.install.ts';
import type { HubClient } from './openid.ts';

/** Only against hanging. */
const START_MS = 180_000;
const FOLDERS = ['conf', 'sessions/lock', 'persistent/lock'];

/** The portal of a LemonLDAP::NG, in a chroot of Debian 12. */
export class Lemonldap {
  readonly url: string;
  private readonly tree: string;
  /** As the host sees it. */
  private readonly folder: string;
  private readonly place: LemonldapPlace;
  private running: Running | undefined;

  private constructor(tree: string, folder: string, place: LemonldapPlace) {
    this.url = place.url;
    this.tree = tree;
    this.folder = folder;
    this.place = place;
  }

  static async start(options: Pick<LemonldapPlace, 'people' | 'accessRule'>): Promise<Lemonldap> {
    const tree = await installLemonldap();
    const folder = await mkdtemp(join(tree, 'srv/warren-'));
    for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true });
    const url = `http://localhost:${await freePort()}`;
    const keys = await makeKeys('LemonLDAP::NG of a test');
    const place: LemonldapPlace = { ...options, url, keys, folder: `/srv/${basename(folder)}`, hubMetadata: '' };
    const lemonldap = new Lemonldap(tree, folder, place);
    await lemonldap.launch();
    return lemonldap;
  }

  get metadataUrl(): string {
    return `${this.url}/saml/metadata/idp`;
  }

  /** Adds the hub as a service provider. Restarts the portal, which keeps its configuration for minutes. */
  async trust(hubMetadata: string): Promise<void> {
    this.place.hubMetadata = hubMetadata;
    await this.restart();
  }

  /** Adds the hub as an OpenID Connect relying party. Restarts the portal as well. */
  async addOpenId(client: HubClient): Promise<void> {
    this.place.openId = client;
    await this.restart();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async restart(): Promise<void> {
    await this.running?.stop();
    await this.launch();
  }

  private async launch(): Promise<void> {
    const { folder } = this.place;
    for (const [name, text] of Object.entries(configFiles(this.place))) {
      await writeFile(join(this.folder, name), text);
    }
    const listen = ['--listen', `127.0.0.1:${new URL(this.url).port}`];
    const spec = {
      name: 'LemonLDAP::NG',
      command: requireProgram('chroot'),
      args: [this.tree, '/usr/bin/starman', '--preload-app', '--workers', '3', ...listen, `${folder}/app.psgi`],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', LLNG_DEFAULTCONFFILE: `${folder}/lemonldap-ng.ini` },
      log: join(this.folder, 'portal.log'),
      ready: async () => {
        const answer = await fetch(`http://127.0.0.1:${new URL(this.url).port}/saml/metadata/idp`);
        const text = await answer.text();
        if (!text.includes('IDPSSODescriptor')) throw new Error(`it answers ${answer.status}`);
      },
    };
    this.running = launch(spec);
    try {
      await untilReady(spec, this.running, START_MS);
    } catch (error) {
      await this.running.stop();
      throw error;
    }
  }
}
