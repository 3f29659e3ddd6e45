import { totalmem } from 'node:os';
import { until } from './until.ts';
import { command } from '@warren/local/command';
import { addressOf, daemon, docker, inside, write } from './docker.ts';
import type { Keys } from './keys.ts';
import { PAUSE } from './images.ts';
import { kubectl } from './kubectl.ts';
import { programsFolder } from './programs.ts';
import { CONTROL, DNS_SERVICE, DOMAIN, keysPlace, NAME, NODE_MEMORY, NODES, PODS, podsOf } from './settings.ts';
import type { NodeName } from './settings.ts';

const BIN = '/opt/kubernetes';
const CGROUPS = '/sys/fs/cgroup';
/** Folder of the volumes that pods claim, shared by both nodes. */
export const VOLUMES = '/volumes';

/** Options for containerd and kubelet, where `--privileged` may be refused. */
const RIGHTS = [
  ...['SYS_ADMIN', 'NET_ADMIN', 'SYS_PTRACE', 'SYSLOG', 'DAC_READ_SEARCH', 'IPC_LOCK', 'SYS_NICE'].flatMap((name) => [
    '--cap-add',
    name,
  ]),
  ...['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'].flatMap((text) => [
    '--security-opt',
    text,
  ]),
  ...[
    '--device',
    '/dev/kmsg',
    '--device-cgroup-rule',
    'a *:* rwm',
    '--cgroupns=host',
    '--volume',
    `${CGROUPS}:${CGROUPS}:rw`,
  ],
];

const containerd = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/${PAUSE}"
  # Lower values need a privilege that this machine may lack.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
`;

const cni = (node: NodeName) => ({
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      hairpinMode: true,
      ipMasq: false,
      ipam: { type: 'host-local', ranges: [[{ subnet: podsOf(node) }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true }, snat: true },
  ],
});

const kubelet = (node: NodeName) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: '/etc/kubernetes/ca.crt' },
  },
  authorization: { mode: 'Webhook' },
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  cgroupDriver: 'cgroupfs',
  // The nodes share this machine's cgroups under separate names.
  cgroupRoot: `/${node}`,
  failCgroupV1: false,
  failSwapOn: false,
  // Skips sysctls and OOM scores that only the initial namespace may set.
  featureGates: { KubeletInUserNamespace: true },
  clusterDNS: [DNS_SERVICE],
  clusterDomain: DOMAIN,
  resolvConf: '/etc/kubernetes/resolv.conf',
  imageGCHighThresholdPercent: 100,
  evictionHard: { 'memory.available': '100Mi' },
  systemReserved: { memory: `${Math.max(0, totalmem() - NODE_MEMORY)}` },
  volumePluginDir: '/var/lib/kubelet/plugins',
  shutdownGracePeriod: '0s',
});

const proxy = {
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clusterCIDR: PODS,
  clientConnection: { kubeconfig: '/etc/kubernetes/proxy' },
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
};

/** Starts the container of the API server: a node without kubelet. */
export async function runControl(image: string): Promise<void> {
  const mounts = ['--volume', `${programsFolder}:${BIN}:ro`, '--volume', `${keysPlace}:/keys:ro`];
  await docker(
    ...['run', '--detach', '--name', CONTROL, '--hostname', CONTROL, '--network', NAME, '--cap-add', 'NET_ADMIN'],
    ...['--memory', '3g', '--tmpfs', '/var/lib/etcd', ...mounts, image],
  );
}

/** Starts an empty container for a node. */
export async function runNode(node: NodeName, image: string): Promise<void> {
  const mounts = [`${programsFolder}:${BIN}:ro`, `${node}:/var/lib/containerd`, `${NAME}-volumes:${VOLUMES}`];
  await docker(
    ...['run', '--detach', '--name', node, '--hostname', node, '--network', NAME, ...RIGHTS],
    ...['--tmpfs', '/run', '--tmpfs', '/tmp', '--volume', '/var/lib/kubelet'],
    ...mounts.flatMap((mount) => ['--volume', mount]),
    image,
  );
}

const prepare = (node: NodeName) => `
mount --make-rshared /
mount -o remount,rw /sys
echo 1 >/proc/sys/net/ipv4/ip_forward
awk '$3 ~ /^cgroup/ { print $2 }' /proc/mounts | grep ^${CGROUPS} | sort -u | while read -r at; do mkdir -p "$at/${node}"; done
for file in cpuset.cpus cpuset.mems; do
  [ ! -e ${CGROUPS}/cpuset/$file ] || cat ${CGROUPS}/cpuset/$file >${CGROUPS}/cpuset/${node}/$file
done
limit=${CGROUPS}/memory/${node}/memory.limit_in_bytes
if [ -e $limit ]; then echo ${NODE_MEMORY} >$limit; else echo ${NODE_MEMORY} >${CGROUPS}/${node}/memory.max; fi
# Traffic of pods to the outside is masqueraded; between pods it is not.
iptables -t nat -A POSTROUTING -s ${podsOf(node)} ! -d ${PODS} -m comment --comment 'pods outwards' -j MASQUERADE
echo nameserver ${DNS_SERVICE} >/etc/kubernetes/resolv.conf
`;

/** Starts containerd, kubelet, kube-proxy and kube-router, which enforces network policies. */
export async function startNode(node: NodeName, keys: Keys): Promise<void> {
  const address = await addressOf(node);
  const files = {
    '/etc/containerd/config.toml': containerd,
    '/etc/cni/net.d/10-pods.conflist': JSON.stringify(cni(node)),
    '/etc/kubernetes/kubelet.json': JSON.stringify(kubelet(node)),
    '/etc/kubernetes/proxy.json': JSON.stringify(proxy),
    '/etc/kubernetes/ca.crt': keys.ca,
    '/etc/kubernetes/node': keys.config(`system:node:${node}`),
    '/etc/kubernetes/proxy': keys.config('system:kube-proxy'),
    '/etc/kubernetes/admin': keys.config('admin'),
  };
  for (const [path, text] of Object.entries(files)) await write(node, path, text);
  await inside(node, prepare(node));
  await daemon(node, 'containerd', 'containerd', []);
  await until(() => inside(node, 'ctr version >/dev/null').then(() => true), 60_000);
  const named = [`--hostname-override=${node}`, `--node-ip=${address}`, '--oom-score-adj=0'];
  const how = ['--config=/etc/kubernetes/kubelet.json', '--kubeconfig=/etc/kubernetes/node'];
  await daemon(node, 'kubelet', `${BIN}/kubelet`, [...how, ...named]);
  await until(() => kubectl('get', 'node', node), 120_000);
  await kubectl('patch', 'node', node, '--patch', JSON.stringify({ spec: { podCIDR: podsOf(node) } }));
  await daemon(node, 'proxy', `${BIN}/kube-proxy`, ['--config=/etc/kubernetes/proxy.json', named[0] ?? '']);
  const policies = ['--run-firewall=true', '--run-router=false', '--run-service-proxy=false', '--v=1'];
  const router = ['--kubeconfig=/etc/kubernetes/admin', `--hostname-override=${node}`];
  await daemon(node, 'router', `${BIN}/kube-router`, [...router, ...policies]);
}

/** Removes the cgroups that a node's pods have left, deepest first. */
export async function removeCgroups(): Promise<void> {
  const roots = NODES.map((node) => `${CGROUPS}/*/${node} ${CGROUPS}/${node}`).join(' ');
  const script = `for at in ${roots}; do [ ! -d "$at" ] || find "$at" -depth -type d -exec rmdir {} +; done`;
  await until(() => command('sh', ['-c', script]).then(() => true), 30_000);
}
