import { mkdir, readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { request, type APIRequestContext } from '@playwright/test';
import { device, devices, enrolmentToken, getJson } from '@warren/e2e/api';
import { serveProvider } from '@warren/e2e/containers/provider';
import { serveTunnel } from '@warren/e2e/containers/tunnel';
import { Engine } from '@warren/e2e/engine';
import { Machine } from '@warren/e2e/machine';
import { askProvider } from '@warren/e2e/saml';
import type { Way } from '@warren/e2e/surviving';
import { makeAuthority, type Authority } from '@warren/infra/certificates';
import { addressOf } from '../cluster/docker.ts';
import { DEVICE, home, NODES } from '../cluster/settings.ts';
import { until } from '../cluster/until.ts';
import { Release, type Kit } from './release.ts';

export const HUB = 'hub.warren.test';
const PAGES = 'devices.warren.test';
const PROVIDER = 'idp.warren.test';
const OPERATOR = 'operator@warren.test';
const CONNECTED_MS = 120_000;

/** A device and a person outside the cluster, who connect through the ingress. */
export class World {
  readonly folder: string;
  readonly kit: Kit;
  readonly authority: Authority;
  readonly release = new Release('warren', ['bundled']);
  /** Address of the node whose ingress they use. */
  readonly entry: string;
  private readonly provider: Awaited<ReturnType<typeof serveProvider>>;
  private tunnel: Awaited<ReturnType<typeof serveTunnel>> | undefined;
  private signedIn: APIRequestContext | undefined;
  private machine: Machine | undefined;
  private deviceId = '';

  private constructor(
    folder: string,
    authority: Authority,
    certificate: Kit['certificate'],
    provider: Awaited<ReturnType<typeof serveProvider>>,
    entry: string,
  ) {
    this.folder = folder;
    this.authority = authority;
    this.provider = provider;
    this.kit = { certificate, ca: authority.ca, metadata: provider.metadata };
    this.entry = entry;
  }

  static async make(): Promise<World> {
    const folder = join(home, 'world');
    await mkdir(folder, { recursive: true });
    const authority = await makeAuthority(folder);
    const certificate = await authority.issue('hub', [`DNS:${HUB}`, `DNS:*.${PAGES}`, `DNS:${PROVIDER}`]);
    const provider = await serveProvider(`https://${PROVIDER}`, `https://${HUB}`, OPERATOR, certificate, folder);
    return new World(folder, authority, certificate, provider, await addressOf(NODES[0]));
  }

  /** Returns the operator's session, signed in through the provider. */
  async person(): Promise<APIRequestContext> {
    return (this.signedIn ??= await this.signIn());
  }

  /** Signs the operator in. */
  async signIn(): Promise<APIRequestContext> {
    this.tunnel ??= await serveTunnel((name) => {
      if (name === PROVIDER) return { host: '127.0.0.1', port: this.provider.port };
      return name === HUB || name.endsWith(PAGES) ? { host: this.entry, port: 443 } : undefined;
    });
    const proxy = { server: this.tunnel.url };
    const context = await request.newContext({ baseURL: `https://${HUB}`, proxy, ignoreHTTPSErrors: true });
    const { acs, ...form } = await askProvider(context, OPERATOR);
    const answer = await context.post(acs, { form, maxRedirects: 0, headers: { origin: `https://${PROVIDER}` } });
    if (answer.status() >= 400) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
    await getJson(context, '/server/get_workspace');
    return context;
  }

  /** Returns the device's id. The first call installs the agent on a machine outside the cluster, with the console's command. */
  async device(): Promise<string> {
    if (this.deviceId !== '') return this.deviceId;
    this.machine = await this.enrol(DEVICE);
    this.deviceId = (await devices(await this.person(), `search=${DEVICE}`)).devices[0]?.id ?? '';
    await this.connected();
    return this.deviceId;
  }

  /** Adds another linked device. @returns a function that removes it */
  async anotherDevice(): Promise<() => Promise<void>> {
    const machine = await this.enrol(`${DEVICE}-2`);
    return () => machine.remove();
  }

  /** Starts a machine and installs the agent with the hub's command. */
  private async enrol(host: string): Promise<Machine> {
    const machine = await Machine.start(await Engine.start(), host, { [HUB]: this.entry });
    try {
      await this.installAgent(machine);
      return machine;
    } catch (error) {
      await machine.remove();
      throw error;
    }
  }

  private async installAgent(machine: Machine): Promise<void> {
    const person = await this.person();
    const workspace = await getJson<{ operator_account_id: string }>(person, '/server/get_workspace');
    const { command } = await enrolmentToken(person, `https://${HUB}`, workspace.operator_account_id);
    const authority = await readFile(this.authority.ca, 'utf8');
    await machine.says(`cat >/root/ca.pem <<'END'\n${authority}END`);
    const said = await machine.sh(
      `export CURL_CA_BUNDLE=/root/ca.pem WARREN_CA=/root/ca.pem; ${command.replace('sudo sh', 'sh')}`,
    );
    if (!said.text.includes('Connected since')) throw new Error(`the agent's installation: ${said.text}`);
  }

  /** Waits until the hub shows the device as connected. */
  async connected(): Promise<void> {
    const person = await this.person();
    await until(async () => (await device(person, this.deviceId)).status === 'Connected', CONNECTED_MS);
  }

  /** Reads a file on the device. */
  async read(file: string): Promise<string> {
    if (!this.machine) throw new Error('there is no device yet');
    return (await this.machine.says(`cat ${file}; echo .`)).slice(0, -1);
  }

  /** Options that connect a terminal's socket without DNS. */
  async way(): Promise<{ way: Way; agent: Agent }> {
    const agent = new Agent({
      ca: await readFile(this.authority.ca),
      lookup: (_name, _options, found) => found(null, [{ address: this.entry, family: 4 }]),
    });
    const hub = `https://${HUB}`;
    const [person, id] = [await this.person(), await this.device()];
    return { way: { request: person, hub, via: () => hub, device: id, connection: { agent: agent as never } }, agent };
  }

  async close(): Promise<void> {
    await this.signedIn?.dispose();
    await this.machine?.remove();
    this.tunnel?.stop();
    this.provider.stop();
  }
}
