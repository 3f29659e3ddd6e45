import { FROM_SECRET, SETTINGS, type Environment } from './settings.ts';

type Variables = Record<string, string | typeof FROM_SECRET>;

/** A list of `NAME=value`. */
function assigned(lines: readonly string[]): Variables {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 && !line.startsWith('#') ? [[line.slice(0, at).trim(), line.slice(at + 1)]] : [];
    }),
  );
}

interface Workload {
  spec?: { template?: { spec?: { containers?: Container[] } } };
}
interface Container {
  name?: string;
  env?: { name: string; value?: string; valueFrom?: object }[];
}

/** Reads the environments of containers in objects of a cluster, by container name. */
function ofWorkloads(items: readonly Workload[]): Record<string, Environment> {
  const containers = items.flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);
  return Object.fromEntries(
    containers.map(({ name = '', env = [] }) => [
      name,
      Object.fromEntries(env.map((one) => [one.name, one.valueFrom ? FROM_SECRET : (one.value ?? '')])),
    ]),
  );
}

/**
 * Reads environments of processes: `["NAME=value"]` as `docker inspect` prints `.Config.Env`, a List of workloads as
 * `kubectl get -o json` does, or lines `NAME=value`.
 * @returns by process
 * @throws when it is JSON of another form
 */
export function environmentsOf(process: string, text: string): Record<string, Environment> {
  if (!/^\s*[[{]/.test(text)) return { [process]: assigned(text.split('\n')) };
  const parsed = JSON.parse(text) as unknown;
  if (Array.isArray(parsed)) return { [process]: assigned(parsed.map(String)) };
  const { items } = parsed as { items?: unknown };
  if (!Array.isArray(items)) throw new Error('expected a list of variables or of workloads');
  return ofWorkloads(items as Workload[]);
}

/** Whether the bundle shows the settings of a process. */
export const isService = (name: string) => Object.hasOwn(SETTINGS, name);
