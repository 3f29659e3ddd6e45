import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type Secret, type SecretApi } from './secret.api.ts';
import type { Values } from './bundled.ts';

/** A required Secret. */
export interface Wanted {
  name: string;
  type: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** Completes the values of the Secret, or undefined if it does not exist. */
  values(kept: Values | undefined): Values | Promise<Values>;
}

/** Keep it from Helm, which deletes what leaves its manifest, and from Argo CD, which prunes what is in no manifest. */
const KEPT = {
  'helm.sh/resource-policy': 'keep',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
};

export type Outcome = 'created' | 'completed' | 'unchanged';

/** New RoleBindings take effect after a moment, and others may write at the same time. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 500;
const PASSING = [403, 409, 429, 500, 503, 504];

const encoded = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

const decoded = (data: Record<string, string> = {}): Values =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

/** Returns the entries of `wanted` that differ from `there`. */
function changed(wanted: Values, there: Values = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => there[key] !== value));
}

async function complete(api: SecretApi, secret: Secret, wanted: Wanted): Promise<Outcome> {
  const { name, resourceVersion = '', annotations: there } = secret.metadata;
  const kept = decoded(secret.data);
  const data = encoded(changed(await wanted.values(kept), kept));
  const annotations = changed(KEPT, there);
  if (Object.keys(data).length + Object.keys(annotations).length === 0) return 'unchanged';
  await api.patch({ metadata: { name, resourceVersion, annotations }, data });
  return 'completed';
}

async function create(api: SecretApi, wanted: Wanted): Promise<Outcome> {
  const { name, type, labels } = wanted;
  const annotations = { ...wanted.annotations, ...KEPT };
  await api.create({ metadata: { name, labels, annotations }, type, data: encoded(await wanted.values(undefined)) });
  return 'created';
}

/**
 * Creates a Secret, or adds to it what it lacks. Tries again for 15 s if the API server is busy, another writer is first,
 * or the rights are not there yet.
 * @throws ApiError
 */
export async function keepSecret(
  api: SecretApi,
  wanted: Wanted,
  { patience = PATIENCE_MS, pause = PAUSE_MS } = {},
): Promise<Outcome> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      const secret = await api.get(wanted.name);
      return await (secret ? complete(api, secret, wanted) : create(api, wanted));
    } catch (error) {
      if (!passing(error) || Date.now() + pause > end) throw error;
      await wait(pause);
    }
  }
}

/** fetch throws a TypeError for a failed connection. */
const passing = (error: unknown) =>
  error instanceof ApiError ? PASSING.includes(error.status) : error instanceof TypeError;
