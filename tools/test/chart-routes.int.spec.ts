import { describe, expect, it } from '@jest/globals';
import { of, one, rendered, type Item } from './chart.ts';

describe("the chart's routes", () => {
  it('lead the hub, agents, sockets and device pages where they belong', async () => {
    const path = (items: Item[], name: string) =>
      one(items, 'Ingress', name)['spec'].rules[0].http.paths.map((rule: Item) => [
        rule['path'],
        rule['backend'].service.name,
      ]);
    const nginx = await rendered('production');
    expect(path(nginx, 'w-warren-hub')).toEqual([
      ['/agent/connect', 'w-warren-tunnels'],
      ['/socketsio', 'w-warren-tunnels'],
      ['/socketsio/', 'w-warren-tunnels'],
      ['/', 'w-warren-gateway'],
    ]);
    expect(path(nginx, 'w-warren-device-pages')).toEqual([['/', 'w-warren-tunnels']]);
    expect(one(nginx, 'Ingress', 'w-warren-hub')['metadata'].annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
      'nginx.ingress.kubernetes.io/proxy-buffer-size': '32k',
      'cert-manager.io/cluster-issuer': 'dns',
    });
    const traefik = await rendered('sentinel-traefik');
    expect(path(traefik, 'w-warren-hub')).toEqual([['/', 'w-warren-gateway']]);
    expect(path(traefik, 'w-warren-device-pages')).toEqual([['/', 'w-warren-gateway']]);
    const routes = of(await rendered('cluster-gateway-api'), 'HTTPRoute');
    const led = ({ hostnames: [host], rules: [rule] }: Item['spec']) => [
      host,
      rule.matches.map((match: Item) => `${match['path'].type} ${match['path'].value}`).join(),
      rule.backendRefs[0].name,
    ];
    expect(routes.map(({ spec }) => led(spec))).toEqual([
      ['hub.example.com', 'Exact /agent/connect', 'hub-tunnels'],
      ['hub.example.com', 'Exact /socketsio,Exact /socketsio/', 'hub-tunnels'],
      ['hub.example.com', 'PathPrefix /', 'hub-gateway'],
      ['*.devices.example.com', 'PathPrefix /', 'hub-tunnels'],
    ]);
  });
});
