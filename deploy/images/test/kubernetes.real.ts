import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@warren/infra/until';
import { generate } from 'selfsigned';
import { NAMESPACE, type Kubernetes, type Rule, type StoredSecret } from './kubernetes.api.ts';

/** A server of a slow machine takes so long at most. */
const START_MS = 120_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The keys of the API server: TLS, tokens of service accounts, and the administrator's token. */
async function writeKeys(folder: string, admin: string): Promise<void> {
  const pair = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, 'ca.crt'), pair.cert);
  await writeFile(join(folder, 'tls.key'), pair.private, { mode: 0o600 });
  await writeFile(join(folder, 'accounts.key'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  await writeFile(join(folder, 'tokens.csv'), `${admin},admin,1,"system:masters"\n`, { mode: 0o600 });
}

const serverArguments = (folder: string, etcd: number, port: number) => [
  ...[`--etcd-servers=http://127.0.0.1:${etcd}`, '--bind-address=127.0.0.1', `--secure-port=${port}`],
  ...[`--tls-cert-file=${folder}/ca.crt`, `--tls-private-key-file=${folder}/tls.key`, `--cert-dir=${folder}`],
  ...[`--token-auth-file=${folder}/tokens.csv`, '--authorization-mode=RBAC'],
  ...[`--service-account-key-file=${folder}/accounts.key`, `--service-account-signing-key-file=${folder}/accounts.key`],
  ...['--service-account-issuer=https://kubernetes.default.svc', '--service-cluster-ip-range=10.0.0.0/24'],
  '--disable-admission-plugins=ServiceAccount',
];

/** kube-apiserver and etcd, without nodes. */
export class RealKubernetes implements Kubernetes {
  readonly host = '127.0.0.1';
  readonly authority: string;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly admin: string,
    private readonly processes: ChildProcess[],
  ) {
    this.authority = join(folder, 'ca.crt');
  }

  static async start(server: string, etcd: string): Promise<Kubernetes> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-kubernetes-'));
    const admin = randomUUID();
    await writeKeys(folder, admin);
    const [client, peer, port] = await Promise.all([freePort(), freePort(), freePort()]);
    const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const etcdArguments = [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
    ];
    const processes = [
      spawn(etcd, etcdArguments, { stdio: 'ignore' }),
      spawn(server, serverArguments(folder, client, port), { stdio: 'ignore' }),
    ];
    const made = new RealKubernetes(port, folder, admin, processes);
    await until(async () => (await made.ask('GET', '/readyz')).status === 200, START_MS);
    await made.must('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    return made;
  }

  async grant(rules: Rule[]): Promise<string> {
    const name = `account-${randomUUID()}`;
    const at = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;
    await this.must('POST', at, { metadata: { name } });
    await this.must('POST', `${rbac}/roles`, { metadata: { name }, rules });
    await this.must('POST', `${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }],
    });
    const made = await this.must('POST', `${at}/${name}/token`, { spec: { expirationSeconds: 600 } });
    return (made as { status: { token: string } }).status.token;
  }

  async read(name: string): Promise<StoredSecret | undefined> {
    const { status, text } = await this.ask('GET', `/api/v1/namespaces/${NAMESPACE}/secrets/${name}`);
    return status === 404 ? undefined : (JSON.parse(text) as StoredSecret);
  }

  async write(secret: StoredSecret): Promise<void> {
    const at = `/api/v1/namespaces/${NAMESPACE}/secrets`;
    const there = await this.read(secret.metadata.name);
    if (there) await this.must('PUT', `${at}/${secret.metadata.name}`, { ...secret, type: there.type });
    else await this.must('POST', at, secret);
  }

  async stop(): Promise<void> {
    for (const child of this.processes.reverse()) {
      if (child.exitCode !== null || !child.kill()) continue;
      await once(child, 'exit');
    }
    await rm(this.folder, { recursive: true });
  }

  private async must(method: string, path: string, body: object): Promise<unknown> {
    const { status, text } = await this.ask(method, path, body);
    if (status < 300) return JSON.parse(text);
    throw new Error(`${method} ${path}: ${status} ${text}`);
  }

  private async ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const ca = await readFile(this.authority);
    const headers = { authorization: `Bearer ${this.admin}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const asked = request({ host: this.host, port: this.port, path, method, headers, ca }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.on('error', reject).end(body && JSON.stringify(body));
    });
  }
}
