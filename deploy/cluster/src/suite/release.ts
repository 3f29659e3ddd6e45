import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { toolsFolder } from '@warren/local/steps/go-tools';
import { apply, environment, isReady, kubectl, pods, rolledOut, type Pod } from '../cluster/kubectl.ts';
import { makeDisks } from '../cluster/addons.ts';

export const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'] as const;

const chart = join(root, 'helm/warren');
const values = (name: string) => join(import.meta.dirname, '../../values', `${name}.yaml`);

/** Input of an installation besides its values: files by name, and its owner. */
export interface Kit {
  /** PEM of the hub's certificate, its key and its authority. */
  certificate: { cert: string; key: string };
  ca: string;
  /** The identity provider's metadata. */
  metadata: string;
}

const secret = (name: string, namespace: string, stringData: Record<string, string>, type = 'Opaque') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type,
  stringData,
});

/** One installation of the chart, in a namespace of the same name. */
export class Release {
  readonly name: string;
  private readonly values: string[];

  /** @param files names in the folder `values`, each over the one before */
  constructor(name: string, files: string[]) {
    this.name = name;
    this.values = files.flatMap((file) => ['--values', values(file)]);
  }

  /** Creates the namespace with its pod security standard, and the objects that the chart requires. */
  async prepare({ certificate, ca, metadata }: Kit, standard = 'restricted', disks = 3): Promise<void> {
    const { name } = this;
    const labels = { 'pod-security.kubernetes.io/enforce': standard };
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    const [cert, key, authority] = await Promise.all(
      [certificate.cert, certificate.key, ca].map((file) => readFile(file, 'utf8')),
    );
    await apply(
      secret('mail', name, { 'smtp-url': 'smtp://servers.warren.test:25' }),
      secret(
        'hub-tls',
        name,
        { 'tls.crt': cert ?? '', 'tls.key': key ?? '', 'ca.crt': authority ?? '' },
        'kubernetes.io/tls',
      ),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'saml-metadata', namespace: name },
        data: { 'default.xml': metadata },
      },
    );
    if (disks > 0) await makeDisks(name, disks);
  }

  /** Installs or upgrades, and waits until all pods are new and ready. */
  async upgrade(...set: string[]): Promise<void> {
    const settings = set.flatMap((text) => ['--set', text]);
    await this.helm('upgrade', this.name, chart, '--install', ...this.values, ...settings, '--wait', '--timeout=9m');
    await this.settled();
  }

  /** Waits until every workload is rolled out. */
  settled(): Promise<void> {
    return rolledOut(this.name);
  }

  helm(...args: string[]): Promise<string> {
    return command(join(toolsFolder, 'helm'), [...args, '--namespace', this.name], { env: environment() });
  }

  kubectl(...args: string[]): Promise<string> {
    return kubectl(...args, `--namespace=${this.name}`);
  }

  /** Lists the pods of a component, or of all of Warren's services. */
  pods(component?: string): Promise<Pod[]> {
    const which = component ? `=${component}` : ` in (${SERVICES.join(',')})`;
    return pods(this.name, `app.kubernetes.io/instance=${this.name},app.kubernetes.io/component${which}`);
  }

  /** Finds a ready pod of a component. */
  async pod(component: string): Promise<Pod> {
    const found = (await this.pods(component)).find(isReady);
    if (!found) throw new Error(`${this.name}: expected a ready pod of ${component}, there is none`);
    return found;
  }

  /** Uninstalls it, and deletes the namespace. */
  async remove(): Promise<void> {
    await this.helm('uninstall', this.name, '--wait', '--ignore-not-found').catch(() => undefined);
    await kubectl('delete', 'namespace', this.name, '--ignore-not-found', '--timeout=120s');
    const disks = (await kubectl('get', 'persistentvolumes', '--output=name')).split('\n');
    const own = disks.filter((disk) => disk.startsWith(`persistentvolume/${this.name}-`));
    if (own.length > 0) await kubectl('delete', ...own);
  }
}
