import { join } from 'node:path';
import { root } from '@warren/local/settings';

/** Prefix of every container, network, volume and cgroup. */
export const NAME = 'warren-cluster';
export const CONTROL = `${NAME}-control`;
/** Host name of the device outside the cluster. */
export const DEVICE = `${NAME}-device`;
export const NODES = [`${NAME}-1`, `${NAME}-2`] as const;
export type NodeName = (typeof NODES)[number];

/** Keys, kubeconfigs, logs and the report. */
export const home = join(root, '.warren/cluster');
export const keysPlace = join(home, 'keys');
export const kubeconfig = join(home, 'kubeconfig');

export const PODS = '10.244.0.0/16';
export const podsOf = (node: NodeName) => `10.244.${NODES.indexOf(node) + 1}.0/24`;
export const SERVICES = '10.96.0.0/16';
export const API_SERVICE = '10.96.0.1';
export const DNS_SERVICE = '10.96.0.10';
export const DOMAIN = 'cluster.local';

/** Memory limit of a node's pods, to protect a shared machine. */
export const NODE_MEMORY = 5 * 2 ** 30;
