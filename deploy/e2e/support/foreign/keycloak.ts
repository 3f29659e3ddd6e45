import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady, type Running } from '@warren/infra/process';
import type { Person } from '../people.ts';
import type { HubClient } from './openid.ts';
import { installKeycloak } from './keycloak.install.ts';

/** Only against hanging: the first start compiles the server, which takes minutes on a loaded machine. */
const START_MS = 600_000;
/** Also of the admin console. */
export const ADMIN = { username: 'admin', password: 'secret' };

/** A client as the admin API has it; what is not named here stays as it came. */
interface Client {
  attributes?: Record<string, string>;
}

/** A realm of a Keycloak, as an administrator sets it up for the hub. */
export class Realm {
  readonly name: string;
  readonly url: string;
  /** Address of the realm in the admin console. */
  readonly console: string;
  private readonly call: Keycloak['call'];

  constructor(server: string, name: string, call: Keycloak['call']) {
    this.name = name;
    this.url = `${server}/realms/${name}`;
    this.console = `${server}/admin/master/console/#/${name}`;
    this.call = call;
  }

  get metadataUrl(): string {
    return `${this.url}/protocol/saml/descriptor`;
  }

  /** Everybody's password is `secret`. */
  async add({ email, name }: Person): Promise<void> {
    const [firstName, lastName] = name.split(' ');
    const credentials = [{ type: 'password', value: 'secret', temporary: false }];
    const user = { username: email, email, emailVerified: true, firstName, lastName, enabled: true, credentials };
    await this.call('POST', `/${this.name}/users`, user);
  }

  /** _Import client_ of the admin console with the hub's metadata, and then what docs/operations/saml.md says to change. */
  async trust(hubMetadata: string, changed: Record<string, string> = {}): Promise<void> {
    const imported = await this.call<Client>('POST', `/${this.name}/client-description-converter`, hubMetadata);
    await this.call('POST', `/${this.name}/clients`, {
      ...imported,
      frontchannelLogout: true,
      attributes: { ...imported.attributes, saml_name_id_format: 'email', ...changed },
    });
  }

  /** _Create client_ with the values of docs/operations/openid-connect.md; PKCE is required besides. */
  async addOpenId({ id, secret, redirectUri, logoutUri, signedOutUri }: HubClient): Promise<void> {
    await this.call('POST', `/${this.name}/clients`, {
      protocol: 'openid-connect',
      clientId: id,
      secret,
      publicClient: false,
      standardFlowEnabled: true,
      implicitFlowEnabled: false,
      directAccessGrantsEnabled: false,
      redirectUris: [redirectUri],
      frontchannelLogout: false,
      attributes: {
        'pkce.code.challenge.method': 'S256',
        'post.logout.redirect.uris': signedOutUri,
        'backchannel.logout.url': logoutUri,
        'backchannel.logout.session.required': 'true',
      },
    });
  }
}

/** A Keycloak with an in-memory database. */
export class Keycloak {
  readonly url: string;
  private readonly folder: string;
  private readonly running: Running;
  private access: { token: string; until: number } | undefined;

  private constructor(url: string, folder: string, running: Running) {
    this.url = url;
    this.folder = folder;
    this.running = running;
  }

  static async start(): Promise<Keycloak> {
    const program = await installKeycloak();
    const folder = await mkdtemp(join(tmpdir(), 'warren-keycloak-'));
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const spec = {
      name: 'Keycloak',
      command: join(program, 'bin/kc.sh'),
      args: ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`],
      env: {
        ...process.env,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx1g',
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      },
      log: join(folder, 'keycloak.log'),
      ready: async () => {
        const { status } = await fetch(`http://127.0.0.1:${port}/realms/master`);
        if (status !== 200) throw new Error(`the realm master answers ${status}`);
      },
    };
    const running = launch(spec);
    try {
      await untilReady(spec, running, START_MS);
    } catch (error) {
      await running.stop();
      throw error;
    }
    return new Keycloak(url, folder, running);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async realm(name: string): Promise<Realm> {
    await this.call('POST', '', { realm: name, enabled: true });
    return new Realm(this.url, name, (method, path, body) => this.call(method, path, body));
  }

  /** One call of the admin API, below its realms; a text goes out as it is. */
  async call<T = unknown>(method: string, path: string, body?: object | string): Promise<T> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const headers = { authorization: `Bearer ${await this.token()}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/admin/realms${path}`, { method, headers, ...(text && { body: text }) });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`);
    return (said ? JSON.parse(said) : undefined) as T;
  }

  /** The administrator's token, for half of its life: each sign-in costs Keycloak a slow hash of the password. */
  private async token(): Promise<string> {
    if (this.access && Date.now() < this.access.until) return this.access.token;
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
    const at = `${this.url}/realms/master/protocol/openid-connect/token`;
    const answer = await fetch(at, { method: 'POST', body: form });
    if (!answer.ok) throw new Error(`Keycloak's sign-in answers ${answer.status} ${await answer.text()}`);
    const { access_token: token, expires_in } = (await answer.json()) as { access_token: string; expires_in: number };
    this.access = { token, until: Date.now() + expires_in * 500 };
    return token;
  }
}
