import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { NAMESPACE, type Kubernetes, type Rule, type StoredSecret } from './kubernetes.api.ts';

interface Answer {
  status: number;
  body: object;
}

const PATH = new RegExp(`^/api/v1/namespaces/${NAMESPACE}/secrets(?:/([a-z0-9.-]+))?$`);
const VERBS: Record<string, string> = { GET: 'get', POST: 'create', PATCH: 'patch' };
/** What the body of a request has to be. */
const TYPES: Record<string, string> = { create: 'application/json', patch: 'application/merge-patch+json' };

/** As the API server writes errors: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
const refusal = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code: status },
});

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result = new Map(Object.entries((target as object | undefined) ?? {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, merged(result.get(key), value));
  }
  return Object.fromEntries(result);
}

/** Whether a Role allows a request for Secrets. One that creates names no object. */
const allows = (rule: Rule, verb: string, name = '') =>
  rule.apiGroups.includes('') &&
  rule.resources.includes('secrets') &&
  rule.verbs.includes(verb) &&
  (!rule.resourceNames || (verb !== 'create' && rule.resourceNames.includes(name)));

async function bodyOf(request: IncomingMessage): Promise<StoredSecret> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as StoredSecret;
}

/** Speaks the documented REST API for Secrets: rights of a Role, optimistic locking, merge patches, Status objects for errors. */
export class SpokenKubernetes implements Kubernetes {
  readonly host = '127.0.0.1';
  readonly authority: string;
  private readonly secrets = new Map<string, StoredSecret>();
  private readonly rights = new Map<string, Rule[]>();
  private version = 1;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {
    this.authority = join(folder, 'ca.crt');
    server.on('request', (request: IncomingMessage, response) => {
      this.answer(request).then(
        ({ status, body }) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        // The script may be killed in the middle of it.
        () => void request.socket.destroy(),
      );
    });
  }

  static async start(): Promise<Kubernetes> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-kubernetes-'));
    const pair = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keySize: 2048,
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    });
    const made = new SpokenKubernetes(createServer({ key: pair.private, cert: pair.cert }), folder);
    await writeFile(made.authority, pair.cert);
    await new Promise<void>((resolve) => made.server.listen(0, made.host, resolve));
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async grant(rules: Rule[]): Promise<string> {
    const token = randomUUID();
    this.rights.set(token, rules);
    return token;
  }

  async read(name: string): Promise<StoredSecret | undefined> {
    return structuredClone(this.secrets.get(name));
  }

  async write(secret: StoredSecret): Promise<void> {
    this.store(secret);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true });
  }

  private store(secret: StoredSecret): StoredSecret {
    const stored = structuredClone(secret);
    stored.metadata.resourceVersion = String(++this.version);
    this.secrets.set(stored.metadata.name, stored);
    return stored;
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const { headers } = request;
    const found = PATH.exec(String(request.url));
    const verb = VERBS[String(request.method)];
    if (!found || !verb) return refusal(404, 'NotFound', 'the server could not find the requested resource');
    const name = found[1];
    const rules = this.rights.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (!rules) return refusal(401, 'Unauthorized', 'Unauthorized');
    if (!rules.some((rule) => allows(rule, verb, name)))
      return refusal(403, 'Forbidden', `secrets "${name ?? ''}" is forbidden: cannot ${verb} resource`);
    if (TYPES[verb] !== headers['content-type'])
      return refusal(415, 'UnsupportedMediaType', `the body of the request was in an unknown format`);
    if (verb === 'get') return this.got(name ?? '');
    return verb === 'create' ? this.created(await bodyOf(request)) : this.patched(name ?? '', await bodyOf(request));
  }

  private got(name: string): Answer {
    const body = this.secrets.get(name);
    return body ? { status: 200, body } : refusal(404, 'NotFound', `secrets "${name}" not found`);
  }

  private created(secret: StoredSecret): Answer {
    const { name } = secret.metadata;
    if (this.secrets.has(name)) return refusal(409, 'AlreadyExists', `secrets "${name}" already exists`);
    return { status: 201, body: this.store(secret) };
  }

  private patched(name: string, patch: StoredSecret): Answer {
    const there = this.secrets.get(name);
    if (!there) return refusal(404, 'NotFound', `secrets "${name}" not found`);
    const { resourceVersion } = patch.metadata;
    if (resourceVersion && resourceVersion !== there.metadata.resourceVersion)
      return refusal(
        409,
        'Conflict',
        `Operation cannot be fulfilled on secrets "${name}": the object has been modified`,
      );
    return { status: 200, body: this.store(merged(there, patch) as StoredSecret) };
  }
}
