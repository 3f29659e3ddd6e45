import { join } from 'node:path';
import { command } from '@warren/local/command';
import { programsFolder } from './programs.ts';
import { kubeconfig } from './settings.ts';
import { until } from './until.ts';

const env = () => ({ ...process.env, KUBECONFIG: kubeconfig, PATH: `${programsFolder}:${process.env['PATH']}` });

/** Returns an environment for the cluster: its kubeconfig, and kubectl on the PATH. */
export const environment = env;

export const kubectl = (...args: string[]) => command(join(programsFolder, 'kubectl'), args, { env: env() });

/** Creates or changes objects. */
export async function apply(...objects: object[]): Promise<void> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  await command(join(programsFolder, 'kubectl'), ['apply', '--filename', '-'], { env: env(), input });
}

/** Returns an object as the API server would store it, as JSON. */
export function dryRun(object: string): Promise<string> {
  const args = ['create', '--dry-run=server', '--output=json', '--filename', '-'];
  return command(join(programsFolder, 'kubectl'), args, { env: env(), input: object });
}

export async function get<T>(...args: string[]): Promise<T> {
  return JSON.parse(await kubectl('get', ...args, '--output=json')) as T;
}

export interface Pod {
  metadata: { name: string; namespace: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName?: string; securityContext?: { runAsUser?: number } };
  status: { podIP?: string; phase: string; conditions?: { type: string; status: string }[] };
}

export async function pods(namespace: string, selector: string): Promise<Pod[]> {
  return (await get<{ items: Pod[] }>('pods', `--namespace=${namespace}`, `--selector=${selector}`)).items;
}

export const isReady = ({ metadata, status }: Pod) =>
  !metadata.deletionTimestamp && !!status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');

/** Waits until all Deployments, StatefulSets and DaemonSets of a namespace are rolled out. */
export async function rolledOut(namespace: string, timeoutSeconds = 420): Promise<void> {
  const kinds = 'deployments,statefulsets,daemonsets';
  const { items } = await get<{ items: { kind: string; metadata: { name: string } }[] }>(
    kinds,
    `--namespace=${namespace}`,
  );
  const waits = items.map(({ kind, metadata }) =>
    kubectl(
      ...['rollout', 'status', `${kind.toLowerCase()}/${metadata.name}`],
      ...[`--namespace=${namespace}`, `--timeout=${timeoutSeconds}s`],
    ),
  );
  await Promise.all(waits);
}

/** Waits until the API server answers. */
export async function apiReady(): Promise<void> {
  await until(() => kubectl('get', '--raw=/readyz'), 180_000);
}
