import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeAuthority, type Authority } from '@warren/infra/certificates';
import { command } from '@warren/local/command';
import { API_SERVICE, DOMAIN, keysPlace, kubeconfig, NODES, type NodeName } from './settings.ts';

/** Clients of the API server, with their RBAC groups. */
const callers = {
  admin: ['system:masters'],
  'system:kube-controller-manager': [],
  'system:kube-scheduler': [],
  'system:kube-proxy': [],
  ...Object.fromEntries(NODES.map((name) => [`system:node:${name}`, ['system:nodes']])),
} as const satisfies Record<string, string[]>;
export type Caller =
  | 'admin'
  | 'system:kube-controller-manager'
  | 'system:kube-scheduler'
  | 'system:kube-proxy'
  | `system:node:${NodeName}`;

function configOf(server: string, ca: string, user: string, token: string): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'default',
    clusters: [{ name: 'default', cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: 'default', context: { cluster: 'default', user } }],
  });
}

/** Keys of the API server: for TLS, for its calls of kubelets and aggregated APIs, and for tokens of service accounts. */
async function issue(authority: Authority, address: string): Promise<void> {
  const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', `kubernetes.default.svc.${DOMAIN}`];
  const addresses = ['127.0.0.1', API_SERVICE, address].map((ip) => `IP:${ip}`);
  await authority.issue('apiserver', [...names.map((name) => `DNS:${name}`), ...addresses]);
  await authority.issue('kubelet-client', ['DNS:kubelet-client']);
  await authority.issue('front-proxy-client', ['DNS:front-proxy-client']);
  await command('openssl', ['genrsa', '-out', join(keysPlace, 'accounts.key'), '2048']);
}

/** The keys of the cluster, which live as long as it. */
export class Keys {
  private readonly server: string;
  private readonly authority: string;
  private readonly tokens: Map<string, string>;

  private constructor(server: string, ca: string, tokens: Map<string, string>) {
    this.server = server;
    this.authority = ca;
    this.tokens = tokens;
  }

  /** @param address of the API server's container */
  static async make(address: string): Promise<Keys> {
    await mkdir(keysPlace, { recursive: true, mode: 0o700 });
    const authority = await makeAuthority(keysPlace);
    await issue(authority, address);
    const tokens = new Map(Object.keys(callers).map((name) => [name, randomUUID()]));
    const lines = Object.entries(callers).map(
      ([name, groups]) => `${tokens.get(name)},${name},${name},"${groups.join(',')}"\n`,
    );
    await writeFile(join(keysPlace, 'tokens.csv'), lines.join(''), { mode: 0o600 });
    const keys = new Keys(`https://${address}:6443`, await readFile(authority.ca, 'utf8'), tokens);
    await writeFile(kubeconfig, keys.config('admin'), { mode: 0o600 });
    return keys;
  }

  get ca(): string {
    return this.authority;
  }

  /** Builds a kubeconfig for a program of the cluster. */
  config(caller: Caller): string {
    return configOf(this.server, this.authority, caller, this.tokens.get(caller) ?? '');
  }
}
