import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { of, run, type Item } from './chart.ts';

/** A pod, or an address outside of the cluster. */
export interface End {
  labels?: Record<string, string>;
  /** The namespace of a pod; none for the release's own. */
  namespace?: string;
  /** An address, for who is no pod. */
  address?: string;
}

/** From whom, to whom, at which TCP port. */
export type Way = [from: string, to: string, port: number];

const RELEASE_NAMESPACE = 'hub';
const POD_ADDRESS = '10.244.0.9';
const VERDICT = /IS ALLOWED\?\s*\|\s*(TRUE|FALSE)\b/gi;

export const written = ([from, to, port]: Way) => `${from} > ${to}:${port}`;

/**
 * The ways that a rendering's policies leave open, as Cyclonus reads them.
 * @param ends by their names in `ways`
 */
export async function openWays(items: Item[], ends: Record<string, End>, ways: Way[]): Promise<string[]> {
  const verdicts = await asked(
    of(items, 'NetworkPolicy'),
    ways.map(([from, to, port]) => traffic(ends, from, to, port)),
  );
  return ways.filter((_, index) => verdicts[index]).map(written);
}

function traffic(ends: Record<string, End>, from: string, to: string, port: number) {
  return {
    Source: peer(ends[from]),
    Destination: peer(ends[to]),
    ResolvedPort: port,
    ResolvedPortName: '',
    Protocol: 'TCP',
  };
}

function peer({ labels = {}, namespace = RELEASE_NAMESPACE, address }: End = {}) {
  if (address !== undefined) return { IP: address };
  const named = { 'kubernetes.io/metadata.name': namespace };
  return { Internal: { PodLabels: labels, NamespaceLabels: named, Namespace: namespace }, IP: POD_ADDRESS };
}

async function asked(policies: Item[], traffics: object[]): Promise<boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-policies-'));
  try {
    const [policyFile, trafficFile] = [join(folder, 'policies.json'), join(folder, 'traffic.json')];
    // As an installation does it: what names no namespace comes into the release's.
    const list = policies.map((item) => ({ ...item, metadata: { namespace: RELEASE_NAMESPACE, ...item['metadata'] } }));
    const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicyList' };
    await writeFile(policyFile, JSON.stringify({ ...kind, items: list }));
    await writeFile(trafficFile, JSON.stringify(traffics));
    const places = ['--policy-path', policyFile, '--traffic-path', trafficFile];
    const verdicts = [...(await run('cyclonus', 'analyze', '--mode', 'query-traffic', ...places)).matchAll(VERDICT)];
    if (verdicts.length !== traffics.length) {
      throw new Error(`Cyclonus: expected ${traffics.length} verdicts, it gave ${verdicts.length}`);
    }
    return verdicts.map(([, word = '']) => word.toUpperCase() === 'TRUE');
  } finally {
    await rm(folder, { recursive: true });
  }
}
