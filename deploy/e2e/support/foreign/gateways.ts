import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady, type Running } from '@warren/infra/process';
import { root } from '@warren/local/settings';
import { busCredentials } from '@warren/local/steps/bus';
import type { Facts } from '../../stack/facts.ts';
import { makeKeys, type Keys } from './keys.ts';

/** An identity provider that isn't the copy's. */
export interface ForeignProvider {
  metadataUrl: string;
  /** The e-mail domains of its users; no two providers share one. */
  domains: readonly string[];
}

/** An OpenID Connect provider that isn't the copy's. */
export interface ForeignOpenId {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: readonly string[];
  /** `assumed` for a provider that doesn't send `email_verified`. */
  emailVerified?: 'claim' | 'assumed';
}

/** Two gateways of one hub beside the copy's own, whose people sign in elsewhere: at each provider that a test brings. */
export class ForeignGateways {
  /** The hub's address: the first of them. */
  readonly hub: string;
  /** The second. */
  readonly other: string;
  /** What the hub signs with. */
  readonly signing: Keys;
  /** What providers encrypt for. */
  readonly decryption: Keys;
  private readonly folder: string;
  private readonly running: Running[];

  private constructor(urls: [string, string], [signing, decryption]: [Keys, Keys], folder: string, running: Running[]) {
    [this.hub, this.other] = urls;
    this.signing = signing;
    this.decryption = decryption;
    this.folder = folder;
    this.running = running;
  }

  /** @param openId makes the providers of OpenID Connect, which need to know the hub */
  static async start(
    facts: Facts,
    providers: Record<string, ForeignProvider>,
    openId: (hub: string) => Promise<Record<string, ForeignOpenId>> = async () => ({}),
  ): Promise<ForeignGateways> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-foreign-'));
    const [signing, decryption] = await Promise.all([makeKeys('hub'), makeKeys('hub, encryption')]);
    const [first, second] = [await freePort(), await freePort()];
    const hub = `http://localhost:${first}`;
    const keyFiles = { SAML_: signing, SAML_DECRYPTION_: decryption };
    const env: NodeJS.ProcessEnv = {
      ...environment(facts, hub, providers),
      ...(await writeKeys(folder, keyFiles)),
      ...(await openIdEnvironment(folder, await openId(hub))),
    };
    const running: Running[] = [];
    const stop = () => Promise.all(running.map((one) => one.stop()));
    try {
      await Promise.all(
        [first, second].map(async (port) => {
          const spec = await specOf(folder, port, env);
          const one = launch(spec);
          running.push(one);
          await untilReady(spec, one, 60_000);
        }),
      );
    } catch (error) {
      await stop();
      throw error;
    }
    return new ForeignGateways([hub, `http://localhost:${second}`], [signing, decryption], folder, running);
  }

  /** Replaces the client secret of an OpenID Connect provider in its file; the next sign-in uses it. */
  async setSecret(provider: string, secret: string): Promise<void> {
    await writeFile(secretFile(this.folder, provider), secret, { mode: 0o600 });
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((one) => one.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

function environment(facts: Facts, hub: string, providers: Record<string, ForeignProvider>): NodeJS.ProcessEnv {
  const list = Object.entries(providers).map(([id, { metadataUrl, domains }]) => ({
    id,
    name: id,
    metadata: metadataUrl,
    domains,
  }));
  return {
    ...process.env,
    NODE_ENV: 'development',
    HUB_URL: hub,
    DEVICE_DOMAIN: `devices.${new URL(facts.hub).host}`,
    NATS_URL: facts.nats,
    ...busCredentials(facts.bus, 'gateway'),
    ...facts.callers['gateway'],
    REDIS_URL: facts.redis,
    RATE_LIMITS: 'No',
    ...(list.length > 0 && { SAML_PROVIDERS: JSON.stringify(list) }),
  };
}

const secretFile = (folder: string, provider: string) => join(folder, `${provider}.secret`);

async function openIdEnvironment(folder: string, providers: Record<string, ForeignOpenId>): Promise<NodeJS.ProcessEnv> {
  const list = await Promise.all(
    Object.entries(providers).map(async ([id, { clientSecret, ...provider }]) => {
      const clientSecretFile = secretFile(folder, id);
      await writeFile(clientSecretFile, clientSecret, { mode: 0o600 });
      return { id, name: id, clientSecretFile, ...provider };
    }),
  );
  // The providers are on this machine, and an old `auth_time` must not pass as a new one.
  return list.length > 0 ? { OIDC_PROVIDERS: JSON.stringify(list), OIDC_CLOCK_TOLERANCE: '0' } : {};
}

async function writeKeys(folder: string, keys: Record<string, Keys>): Promise<NodeJS.ProcessEnv> {
  const env: NodeJS.ProcessEnv = {};
  for (const [prefix, { key, cert }] of Object.entries(keys)) {
    env[`${prefix}KEY_FILE`] = join(folder, `${prefix}key.pem`);
    env[`${prefix}CERT_FILE`] = join(folder, `${prefix}cert.pem`);
    await writeFile(env[`${prefix}KEY_FILE`] ?? '', key, { mode: 0o600 });
    await writeFile(env[`${prefix}CERT_FILE`] ?? '', cert);
  }
  return env;
}

async function specOf(folder: string, port: number, env: NodeJS.ProcessEnv) {
  const ops = await freePort();
  return {
    name: `gateway at ${port}`,
    command: process.execPath,
    args: ['dist/main.js'],
    cwd: join(root, 'services/gateway'),
    env: { ...env, PORT: String(port), OPS_PORT: String(ops) },
    log: join(folder, `gateway-${port}.log`),
    ready: async () => {
      const { status } = await fetch(`http://127.0.0.1:${ops}/readyz`);
      if (status !== 200) throw new Error(`/readyz answers ${status}`);
    },
  };
}
