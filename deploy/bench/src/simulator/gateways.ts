import { portsOfReplica } from '@warren/local/settings';
import type { Warren } from '@warren/local/warren';

/** Each relayed agent takes two files of a gateway, and a process may open 20,000 on many machines. */
const AGENTS_OF_A_GATEWAY = 8_000;

/** How many gateways a fleet needs. */
export function gatewaysFor(agents: number): number {
  return Math.ceil(agents / AGENTS_OF_A_GATEWAY);
}

/** Where the gateways of a local Warren listen. */
function gatewayUrls({ processes, settings }: Warren): string[] {
  const count = processes().filter((name) => name.startsWith('gateway')).length;
  return Array.from({ length: count }, (_, index) => {
    const { gateway } = portsOfReplica(settings.ports, index + 1);
    return `http://127.0.0.1:${gateway}`;
  });
}

/** The way of the links: through the gateways, or straight to tunnels, as by an ingress that knows the path. */
export const ways = ['gateways', 'tunnels'] as const;
export type Way = (typeof ways)[number];

/** Where agents dial by that way. */
export function hubsBy(way: Way, warren: Warren): string[] {
  return way === 'gateways' ? gatewayUrls(warren) : [`http://127.0.0.1:${warren.settings.ports.tunnels}`];
}
