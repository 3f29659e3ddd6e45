import type { Kubernetes } from './kubernetes.api.ts';
import { RealKubernetes } from './kubernetes.real.ts';
import { SpokenKubernetes } from './kubernetes.spoken.ts';

/** The programs in `TEST_KUBE_APISERVER` and `TEST_ETCD` if they are named, else a server that speaks the documented API. */
export function startKubernetes(): Promise<Kubernetes> {
  const { TEST_KUBE_APISERVER: server, TEST_ETCD: etcd } = process.env;
  return server && etcd ? RealKubernetes.start(server, etcd) : SpokenKubernetes.start();
}
