import type { Person } from '../people.ts';

/** A client as the admin API has it; what is not named here stays as it came. */
interface Client {
  attributes?: Record<string, string>;
}

/** A realm of a Keycloak, as an administrator sets it up for the hub. */
export class Realm {
  readonly name: string;
  readonly url: string;
  readonly #call: Keycloak['call'];

  constructor(server: string, name: string, call: Keycloak['call']) {
    this.name = name;
    this.url = `${server}/realms/${name}`;
    this.#call = call;
  }

  get metadataUrl(): string {
    return `${this.url}/protocol/saml/descriptor`;
  }

  /** Everybody's password is `secret`. */
  async add({ email, name }: Person): Promise<void> {
    const [firstName, lastName] = name.split(' ');
    const credentials = [{ type: 'password', value: 'secret', temporary: false }];
    const user = { username: email, email, emailVerified: true, firstName, lastName, enabled: true, credentials };
    await this.#call('POST', `/${this.name}/users`, user);
  }

  /** _Import client_ of the admin console with the hub's metadata, and then what docs/sign-in.md says to change. */
  async trust(hubMetadata: string, changed: Record<string, string> = {}): Promise<void> {
    const imported = await this.#call<Client>('POST', `/${this.name}/client-description-converter`, hubMetadata);
    await this.#call('POST', `/${this.name}/clients`, {
      ...imported,
      frontchannelLogout: true,
      attributes: { ...imported.attributes, saml_name_id_format: 'email', ...changed },
    });
  }

  /**
   * _Create client_ of the admin console with all its defaults, and then what docs/sign-in.md says: the addresses, and under _Keys_
   * the certificate that the hub signs with.
   * @param certificate PEM
   */
  async create(hub: string, certificate: string): Promise<void> {
    const clientId = `${hub}/auth/saml/metadata`;
    const acs = `${hub}/auth/saml/acs`;
    const made = { protocol: 'saml', clientId, redirectUris: [acs], adminUrl: acs };
    await this.#call('POST', `/${this.name}/clients`, made);
    const [client] = await this.#call<[Client & { id: string }]>(
      'GET',
      `/${this.name}/clients?${new URLSearchParams({ clientId })}`,
    );
    const key = { 'saml.signing.certificate': certificate.replace(/-----[^-]+-----|\s/g, '') };
    await this.#call('PUT', `/${this.name}/clients/${client.id}`, {
      ...client,
      attributes: { ...client.attributes, ...key },
    });
  }

  async remove(): Promise<void> {
    await this.#call('DELETE', `/${this.name}`);
  }
}

/** A Keycloak that runs elsewhere, through its admin API. */
export class Keycloak {
  readonly url: string;
  readonly #admin: { username: string; password: string };
  #access: { token: string; until: number } | undefined;

  /** @param address with an administrator's name and password, such as http://admin:secret@localhost:8180 */
  constructor(address: string) {
    const { origin, username, password } = new URL(address);
    this.url = origin;
    this.#admin = { username, password };
  }

  async realm(name: string): Promise<Realm> {
    await this.call('POST', '', { realm: name, enabled: true });
    return new Realm(this.url, name, (method, path, body) => this.call(method, path, body));
  }

  /** One call of the admin API, below its realms; a text goes out as it is. */
  async call<T = unknown>(method: string, path: string, body?: object | string): Promise<T> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const headers = { authorization: `Bearer ${await this.#token()}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/admin/realms${path}`, { method, headers, ...(text && { body: text }) });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`);
    return (said ? JSON.parse(said) : undefined) as T;
  }

  /** The administrator's token, for half of its life: each sign-in costs Keycloak a slow hash of the password. */
  async #token(): Promise<string> {
    if (this.#access && Date.now() < this.#access.until) return this.#access.token;
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...this.#admin });
    const at = `${this.url}/realms/master/protocol/openid-connect/token`;
    const answer = await fetch(at, { method: 'POST', body: form });
    if (!answer.ok) throw new Error(`Keycloak's sign-in answers ${answer.status} ${await answer.text()}`);
    const { access_token: token, expires_in } = (await answer.json()) as { access_token: string; expires_in: number };
    this.#access = { token, until: Date.now() + expires_in * 500 };
    return token;
  }
}
