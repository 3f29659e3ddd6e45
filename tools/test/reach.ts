import type { Item } from './chart.ts';

/** A pod, or whoever else is at the end of a connection. */
export interface End {
  labels: Record<string, string>;
  /** Labels of its namespace; none for one in the release's own. */
  namespace?: Record<string, string>;
}

const matches = (selector: Item, labels: Record<string, string>) =>
  Object.entries((selector['matchLabels'] ?? {}) as Record<string, string>).every(
    ([key, value]) => labels[key] === value,
  );

/** Whether a peer of a rule is this end (NetworkPolicyPeer); a block of addresses is never a pod of these tables. */
function isPeer(peer: Item, { labels, namespace }: End): boolean {
  if (peer['ipBlock']) return false;
  const inside = peer['namespaceSelector']
    ? matches(peer['namespaceSelector'], namespace ?? {})
    : namespace === undefined;
  return inside && (!peer['podSelector'] || matches(peer['podSelector'], labels));
}

function allows(rules: Item[], peers: 'from' | 'to', other: End, port: number): boolean {
  return rules.some((rule) => {
    const ports = rule['ports'] as Item[] | undefined;
    const ends = rule[peers] as Item[] | undefined;
    return (!ports || ports.some((one) => one['port'] === port)) && (!ends || ends.some((peer) => isPeer(peer, other)));
  });
}

/** Whether policies let a TCP connection out of one end and into the other: what selects a pod denies all that it does not name. */
export function reaches(policies: Item[], from: End, to: End, port: number): boolean {
  const passes = (end: End, type: 'Ingress' | 'Egress', peers: 'from' | 'to', other: End) => {
    if (end.namespace) return true;
    const own = policies.filter(
      ({ spec }: Item) => spec.policyTypes.includes(type) && matches(spec.podSelector, end.labels),
    );
    return own.length === 0 || own.some(({ spec }: Item) => allows(spec[type.toLowerCase()] ?? [], peers, other, port));
  };
  return passes(from, 'Egress', 'to', to) && passes(to, 'Ingress', 'from', from);
}
