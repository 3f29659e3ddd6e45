import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ClusterConfig } from './config.ts';

const secretSchema = z.object({
  metadata: z.object({
    name: z.string(),
    resourceVersion: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  type: z.string().optional(),
  /** Values in base64. */
  data: z.record(z.string(), z.string()).optional(),
});

/** A Secret of the core API, v1; only the fields used here. */
export type Secret = z.output<typeof secretSchema>;

const statusSchema = z.object({ message: z.string() });

/** Time limit of a request. */
const REQUEST_MS = 10_000;

/** The API server refused a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads and writes Secrets of one namespace, as the pod's service account, by the REST API of Kubernetes.
 * The certificate of the server is checked against `NODE_EXTRA_CA_CERTS`.
 */
export class SecretApi {
  private readonly config: ClusterConfig;

  constructor(config: ClusterConfig) {
    this.config = config;
  }

  /** @returns the Secret, or undefined if there is none @throws ApiError */
  async get(name: string): Promise<Secret | undefined> {
    try {
      return await this.ask('GET', `/${name}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** @throws ApiError 409 if there is one of that name */
  async create(secret: Secret): Promise<void> {
    await this.ask('POST', '', { apiVersion: 'v1', kind: 'Secret', ...secret }, 'application/json');
  }

  /**
   * Merges the given fields into the Secret (RFC 7396).
   * @param change with the `resourceVersion` that it is based on
   * @throws ApiError 409 if the Secret has changed since that version
   */
  async patch({ metadata, data }: Secret): Promise<void> {
    await this.ask('PATCH', `/${metadata.name}`, { metadata, data }, 'application/merge-patch+json');
  }

  private async ask(method: string, path: string, body?: object, type?: string): Promise<Secret> {
    const { server, namespace, tokenFile } = this.config;
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const response = await fetch(`${server}/api/v1/namespaces/${namespace}/secrets${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(type && { 'content-type': type }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
      redirect: 'error',
    });
    const text = await response.text();
    if (response.ok) return secretSchema.parse(JSON.parse(text));
    throw new ApiError(response.status, `${method} ${path || '/'}: ${response.status} ${messageOf(text)}`);
  }
}

/** The message of a Status object, which the API server answers errors with. */
function messageOf(text: string): string {
  try {
    return statusSchema.parse(JSON.parse(text)).message;
  } catch {
    return text.slice(0, 200);
  }
}
