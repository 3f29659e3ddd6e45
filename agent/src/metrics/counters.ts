/** Bytes that an interface has received and sent since the device booted. */
export interface Traffic {
  rx: number;
  tx: number;
}

/** Interfaces that are not counted: loopback, those of containers, and bundles, whose traffic also passes a physical one. */
const INSIDE = /^(lo|veth|docker|br-|br\d|bond|virbr|cni|flannel|cali|lxc|lxd|podman|dummy|ifb|tunl|sit|ip6tnl)/;
const MOST_INTERFACES = 16;

/** Reads the traffic of interfaces to other machines, from /proc/net/dev (proc_pid_net(5)). */
export function parseTraffic(text: string): Map<string, Traffic> {
  const rows = text.split('\n').flatMap((line) => {
    const [, name = '', counters = ''] = /^\s*([^\s:]+):\s*(.*)$/.exec(line) ?? [];
    const [rx = NaN, , , , , , , , tx = NaN] = counters.trim().split(/\s+/).map(Number);
    return name !== '' && !INSIDE.test(name) && rx >= 0 && tx >= 0 ? [[name, { rx, tx }] as const] : [];
  });
  return new Map(rows.slice(0, MOST_INTERFACES));
}

/** Returns the traffic between two readings. A lower counter was reset, and counts from 0. */
export function trafficSince(before: ReadonlyMap<string, Traffic>, now: ReadonlyMap<string, Traffic>) {
  return [...now].flatMap(([name, { rx, tx }]) => {
    const former = before.get(name);
    if (!former) return [];
    const since = (value: number, old: number) => BigInt(value >= old ? value - old : value);
    return [{ name, rxBytes: since(rx, former.rx), txBytes: since(tx, former.tx) }];
  });
}
