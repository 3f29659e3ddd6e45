import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import { findGo, toolsFolder } from '@warren/local/steps/go-tools';

const KUBERNETES = '1.35.4';
const TRAEFIK = '3.7.13';
const HTTP_AUTH = 'v0.4.1-0.20210329152427-e70ce7ef1ade';
const ROUTER = '2.1.0';
const DNS = '1.14.7';
/** Debian's 3.4 is too old for Kubernetes' watch cache, which then waits for each list. */
const ETCD = '3.6.5';
const METRICS = '0.9.0';
const KEDA = '2.20.2';
const PROMETHEUS = '0.316.0';
/** Definitions of the version that Traefik supports. */
const GATEWAY_API = '1.6.1';

export const programsFolder = join(toolsFolder, `kubernetes-${KUBERNETES}`);
const own = join(import.meta.dirname, '../../programs');
const modules = join(programsFolder, 'modules');
/** Leaves processors to other users of the machine. */
const COMPILE = ['build', '-trimpath', '-mod=mod', '-p=2'];

/** Packages that are compiled in one module, so that shared code is compiled once. */
interface Module {
  name: string;
  /** Writes the module. */
  write(folder: string): Promise<void>;
  /** The package of each program. */
  programs: Record<string, string>;
  flags?: string;
  tags?: string;
}

/** Where Go keeps a module's files. */
async function download(module: string): Promise<{ Dir: string; GoMod: string }> {
  return JSON.parse(await command(findGo() ?? 'go', ['mod', 'download', '-json', module])) as {
    Dir: string;
    GoMod: string;
  };
}

const head = (name: string) => `module ${name}\n\ngo 1.25.0\n\n`;

/** Kubernetes replaces its modules by paths of its checkout: replace each by its released version. */
async function writeKubernetes(folder: string): Promise<void> {
  const { GoMod } = await download(`k8s.io/kubernetes@v${KUBERNETES}`);
  const theirs = await readFile(GoMod, 'utf8');
  const parts = [...theirs.matchAll(/^\s*(k8s\.io\/[\w-]+) v0\.0\.0$/gm)].map(([, name]) => name);
  const version = `v0${KUBERNETES.slice(1)}`;
  const replaced = parts.map((name) => `replace ${name} => ${name} ${version}\n`).join('');
  await writeFile(join(folder, 'go.mod'), `${head('kubernetes')}require k8s.io/kubernetes v${KUBERNETES}\n${replaced}`);
}

/** Writes a module that only requires another one. */
const requiring = (module: string) => (folder: string) =>
  writeFile(join(folder, 'go.mod'), `${head('programs')}require ${module}\n`);

async function writeDns(folder: string): Promise<void> {
  await requiring(`github.com/coredns/coredns v${DNS}`)(folder);
  await cp(join(own, 'dns'), join(folder, 'dns'), { recursive: true });
}

/** The ACME module without its cloud clients, which nothing here needs. */
async function writeLego(folder: string, traefik: string): Promise<void> {
  const version = /go-acme\/lego\/v5 (\S+)/.exec(traefik)?.[1];
  if (!version) throw new Error(`Traefik ${TRAEFIK}: expected that it requires github.com/go-acme/lego/v5`);
  const { Dir } = await download(`github.com/go-acme/lego/v5@${version}`);
  const providers = join(Dir, 'providers/dns');
  await cp(Dir, folder, { recursive: true, filter: (path) => !path.startsWith(providers) });
  await mkdir(join(folder, 'providers'), { recursive: true });
  await chmod(join(folder, 'providers'), 0o755);
  await mkdir(join(folder, 'providers/dns'));
  await cp(join(own, 'traefik/providers.go'), join(folder, 'providers/dns/providers.go'));
}

/** Traefik's module lacks a local module of its go.mod, and needs a fork that is not available on every proxy. */
async function writeTraefik(folder: string): Promise<void> {
  const { GoMod } = await download(`github.com/traefik/traefik/v3@v${TRAEFIK}`);
  const theirs = await readFile(GoMod, 'utf8');
  const text = theirs
    .replace(/^module .*$/m, 'module ingress')
    .replace(/=> \.\/pkg\/config\/dynamic\/ext$/m, '=> ./ext')
    .replace(/(=> github\.com\/containous\/go-http-auth) .*$/m, `$1 ${HTTP_AUTH}`)
    .concat(`\nrequire github.com/traefik/traefik/v3 v${TRAEFIK}\nreplace github.com/go-acme/lego/v5 => ./lego\n`);
  await writeFile(join(folder, 'go.mod'), text);
  await rm(join(folder, 'lego'), { recursive: true, force: true });
  await writeLego(join(folder, 'lego'), theirs);
  await cp(join(own, 'traefik/ext'), join(folder, 'ext'), { recursive: true });
}

/** KEDA pins its dependencies by replacements, which Go reads from the main module only. */
async function writeKeda(folder: string): Promise<void> {
  const module = `github.com/kedacore/keda/v2 v${KEDA}`;
  const theirs = await readFile((await download(module.replace(' ', '@'))).GoMod, 'utf8');
  const [go = 'go 1.26.0', replaced = ''] = [/^go .*$/m, /^replace \([\s\S]*?^\)$/m].map(
    (part) => part.exec(theirs)?.[0],
  );
  await writeFile(join(folder, 'go.mod'), `module programs\n\n${go}\n\nrequire ${module}\n\n${replaced}\n`);
}

const commands = ['kubelet', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubectl'];
const [major, minor] = KUBERNETES.split('.');
const versioned = { gitVersion: `v${KUBERNETES}`, gitMajor: major, gitMinor: minor };

const made: Module[] = [
  {
    name: 'kubernetes',
    write: writeKubernetes,
    programs: Object.fromEntries(commands.map((name) => [name, `k8s.io/kubernetes/cmd/${name}`])),
    flags: Object.entries(versioned)
      .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
      .join(' '),
  },
  {
    name: 'coredns',
    write: writeDns,
    programs: { coredns: './dns' },
  },
  {
    // In a separate module: it does not start with other versions of libraries.
    name: 'metrics-server',
    write: requiring(`sigs.k8s.io/metrics-server v${METRICS}`),
    programs: { 'metrics-server': 'sigs.k8s.io/metrics-server/cmd/metrics-server' },
  },
  {
    name: 'etcd',
    write: requiring(`go.etcd.io/etcd/server/v3 v${ETCD}`),
    programs: { etcd: 'go.etcd.io/etcd/server/v3' },
  },
  {
    name: 'kube-router',
    write: requiring(`github.com/cloudnativelabs/kube-router/v2 v${ROUTER}`),
    programs: { 'kube-router': 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router' },
  },
  {
    name: 'traefik',
    write: writeTraefik,
    programs: { traefik: 'github.com/traefik/traefik/v3/cmd/traefik' },
  },
  {
    // The variant of the tests does not work in a cluster.
    name: 'prometheus',
    write: requiring(`github.com/prometheus/prometheus v${PROMETHEUS}`),
    programs: { 'prometheus-kubernetes': 'github.com/prometheus/prometheus/cmd/prometheus' },
    tags: 'remove_all_sd,enable_kubernetes_sd',
  },
  {
    name: 'keda',
    write: writeKeda,
    programs: {
      keda: 'github.com/kedacore/keda/v2/cmd/operator',
      'keda-adapter': 'github.com/kedacore/keda/v2/cmd/adapter',
    },
  },
];

/** Compiles the missing programs of Kubernetes, CoreDNS, metrics-server, kube-router, Traefik, Prometheus and KEDA. */
export async function makePrograms(note: (text: string) => void): Promise<void> {
  for (const { name, write, programs, flags = '', tags = '' } of made) {
    const missing = Object.entries(programs).filter(([file]) => !existsSync(join(programsFolder, file)));
    if (missing.length === 0) continue;
    const go = findGo();
    if (!go) throw new Error(`${missing[0]?.[0]}: Go is missing, install it (https://go.dev/dl)`);
    const folder = join(modules, name);
    await mkdir(folder, { recursive: true });
    await write(folder);
    for (const [file, place] of missing) {
      note(file);
      const args = [...COMPILE, '-tags', tags, '-ldflags', `-s -w ${flags}`, '-o', join(programsFolder, file), place];
      await command('nice', ['-n', '19', go, ...args], { cwd: folder });
    }
  }
}

/** The file with the definitions of the Gateway API. */
export async function gatewayDefinitions(): Promise<string> {
  return join((await download(`sigs.k8s.io/gateway-api@v${GATEWAY_API}`)).Dir, 'config/crd/standard');
}

/** Files of KEDA's module with its definitions, its rights and its Services. */
export async function kedaFiles(): Promise<string[]> {
  const config = join((await download(`github.com/kedacore/keda/v2@v${KEDA}`)).Dir, 'config');
  return [
    'crd/bases',
    'service_account/service_account.yaml',
    'rbac/role.yaml',
    'rbac/role_binding.yaml',
    'manager/service.yaml',
    'metrics-server/role.yaml',
    'metrics-server/role_binding.yaml',
    'metrics-server/service.yaml',
    'metrics-server/api_service.yaml',
  ].map((file) => join(config, file));
}
