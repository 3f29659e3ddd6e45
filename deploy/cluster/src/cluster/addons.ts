import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import { addressOf, docker, inside } from './docker.ts';
import { apply, environment, kubectl, rolledOut } from './kubectl.ts';
import { VOLUMES } from './node.ts';
import { gatewayDefinitions } from './programs.ts';
import { NAME, NODES } from './settings.ts';

const manifests = join(import.meta.dirname, '../../manifests');

/** Applies a file of `manifests`, after filling in its placeholders in double braces. */
export async function applyFile(name: string, values: Record<string, string> = {}): Promise<void> {
  const text = await readFile(join(manifests, name), 'utf8');
  const input = text.replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name}: {{${key}}} has no value`);
    return value;
  });
  await command('kubectl', ['apply', '--filename', '-'], { env: environment(), input });
}

/** Returns the address of this machine for pods. */
async function machineAddress(): Promise<string> {
  return (await docker('network', 'inspect', '--format', '{{(index .IPAM.Config 0).Gateway}}', NAME)).trim();
}

/** Creates volumes for the claims of one installation. */
export async function makeDisks(prefix: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  await inside(NODES[0], `mkdir -p ${names.map((name) => `${VOLUMES}/${name}`).join(' ')}`);
  const anywhere = { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] };
  const disk = (name: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'shared',
      persistentVolumeReclaimPolicy: 'Retain',
      local: { path: `${VOLUMES}/${name}` },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [anywhere] }] } },
    },
  });
  await apply(...names.map(disk));
}

/** Starts DNS, metrics, the ingress and storage. */
export async function startAddons(): Promise<void> {
  const ingress = await addressOf(NODES[0]);
  await applyFile('storage.yaml');
  await applyFile('dns.yaml', { ingress, machine: await machineAddress() });
  await applyFile('metrics.yaml');
  await kubectl('apply', '--server-side', '--filename', await gatewayDefinitions());
  await applyFile('ingress.yaml');
  await rolledOut('kube-system');
  await rolledOut('ingress');
}
