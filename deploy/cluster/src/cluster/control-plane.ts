import { CONTROL, NODES, PODS, podsOf, SERVICES } from './settings.ts';
import { addressOf, daemon, inside, write } from './docker.ts';
import type { Keys } from './keys.ts';
import { apiReady, apply } from './kubectl.ts';

const KEYS = '/etc/kubernetes/keys';
const BIN = '/opt/kubernetes';

const serverArguments = (address: string) => [
  ...['--etcd-servers=http://127.0.0.1:2379', `--advertise-address=${address}`, '--secure-port=6443'],
  ...[`--tls-cert-file=${KEYS}/apiserver.crt`, `--tls-private-key-file=${KEYS}/apiserver.key`],
  ...[`--client-ca-file=${KEYS}/ca.crt`, `--token-auth-file=${KEYS}/tokens.csv`, '--authorization-mode=Node,RBAC'],
  ...[`--kubelet-client-certificate=${KEYS}/kubelet-client.crt`, `--kubelet-client-key=${KEYS}/kubelet-client.key`],
  ...['--kubelet-preferred-address-types=InternalIP', '--enable-admission-plugins=NodeRestriction'],
  ...[`--service-account-key-file=${KEYS}/accounts.key`, `--service-account-signing-key-file=${KEYS}/accounts.key`],
  ...['--service-account-issuer=https://kubernetes.default.svc', `--service-cluster-ip-range=${SERVICES}`],
  // For users that the cluster chooses, as OpenShift does.
  ...['--feature-gates=MutatingAdmissionPolicy=true', '--runtime-config=admissionregistration.k8s.io/v1beta1=true'],
  // Aggregated APIs, such as that of metrics.
  ...[`--requestheader-client-ca-file=${KEYS}/ca.crt`, '--requestheader-allowed-names=front-proxy-client'],
  ...['--requestheader-extra-headers-prefix=X-Remote-Extra-', '--requestheader-group-headers=X-Remote-Group'],
  ...['--requestheader-username-headers=X-Remote-User', '--enable-aggregator-routing=true'],
  ...[
    `--proxy-client-cert-file=${KEYS}/front-proxy-client.crt`,
    `--proxy-client-key-file=${KEYS}/front-proxy-client.key`,
  ],
];

const managerArguments = [
  ...['--kubeconfig=/etc/kubernetes/manager', '--leader-elect=false', '--use-service-account-credentials=true'],
  ...[`--service-account-private-key-file=${KEYS}/accounts.key`, `--root-ca-file=${KEYS}/ca.crt`],
  ...[`--cluster-signing-cert-file=${KEYS}/ca.crt`, `--cluster-signing-key-file=${KEYS}/ca.key`],
  // The networks of nodes and the routes to them are configured in advance.
  ...['--allocate-node-cidrs=false', `--cluster-cidr=${PODS}`],
  ...['--horizontal-pod-autoscaler-sync-period=5s', '--horizontal-pod-autoscaler-initial-readiness-delay=5s'],
  ...['--horizontal-pod-autoscaler-cpu-initialization-period=20s', '--node-monitor-grace-period=40s'],
];

/** Starts etcd, the API server, the controller manager and the scheduler in their container. */
export async function startControlPlane(keys: Keys): Promise<void> {
  const address = await addressOf(CONTROL);
  await inside(CONTROL, `mkdir -p /etc/kubernetes && cp -r /keys ${KEYS}`);
  await write(CONTROL, '/etc/kubernetes/manager', keys.config('system:kube-controller-manager'));
  await write(CONTROL, '/etc/kubernetes/scheduler', keys.config('system:kube-scheduler'));
  // A temporary cluster need not survive a power cut.
  await daemon(CONTROL, 'etcd', `${BIN}/etcd`, ['--data-dir=/var/lib/etcd', '--unsafe-no-fsync']);
  await daemon(CONTROL, 'apiserver', `${BIN}/kube-apiserver`, serverArguments(address));
  await apiReady();
  const scheduler = ['--kubeconfig=/etc/kubernetes/scheduler', '--leader-elect=false'];
  await daemon(CONTROL, 'manager', `${BIN}/kube-controller-manager`, managerArguments);
  await daemon(CONTROL, 'scheduler', `${BIN}/kube-scheduler`, scheduler);
  await apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'kubelet-client' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:kubelet-api-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'kubelet-client' }],
  });
}

/** Adds routes from a container to the pods of all nodes. */
export async function routeToPods(container: string): Promise<void> {
  for (const node of NODES) {
    if (node === container) continue;
    await inside(container, `ip route replace ${podsOf(node)} via ${await addressOf(node)}`);
  }
}
