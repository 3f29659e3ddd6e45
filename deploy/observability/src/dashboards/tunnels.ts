import type { Board } from '../dashboard.ts';
import { quantile, rate } from '../promql.ts';

const NONE_BEGAN = 'no session of this kind began';

export const tunnels: Board = {
  uid: 'warren-tunnels',
  title: 'Warren / Tunnels',
  about: 'Terminals, desktops, logs and web services of devices, and the replicas that carry them.',
  panels: [
    {
      title: 'Open sessions',
      about: 'Attached through the replicas of tunnels, by kind.',
      unit: 'short',
      lines: [{ expr: 'sum by (kind) (warren_tunnels_sessions_open)', legend: '{{kind}}' }],
    },
    {
      title: 'Shared terminals',
      about: 'Terminals with people besides their owner, and the attachments of these people by role.',
      unit: 'short',
      lines: [
        { expr: 'sum(warren_tunnels_shared_terminals)', legend: 'terminals' },
        { expr: 'sum by (role) (warren_tunnels_shared_terminal_attachments)', legend: '{{role}}s' },
      ],
    },
    {
      title: 'Start of a session',
      about: 'From what the browser asks for to the device having opened it.',
      unit: 's',
      lines: [0.5, 0.95].map((q) => ({
        expr: quantile(q, 'warren_tunnels_session_start_seconds{outcome="opened"}', 'kind'),
        legend: `p${q * 100} {{kind}}`,
        emptyWhen: NONE_BEGAN,
      })),
    },
    {
      title: 'Sessions by outcome',
      about: 'Refused: by the device, or by a limit. Failed: on the way.',
      unit: 'reqps',
      lines: [
        { expr: rate('warren_tunnels_session_start_seconds_count', 'kind', 'outcome'), legend: '{{kind}} {{outcome}}' },
      ],
    },
    {
      title: 'Bytes of sessions',
      about: 'In is towards the device.',
      unit: 'Bps',
      lines: [
        { expr: rate('warren_tunnels_session_bytes_total', 'kind', 'direction'), legend: '{{kind}} {{direction}}' },
      ],
    },
    {
      title: 'Requests to web services of devices',
      about: 'By status, as the browser got it.',
      unit: 'reqps',
      lines: [
        {
          expr: rate('warren_tunnels_web_requests_total', 'status'),
          legend: '{{status}}',
          emptyWhen: 'no web service has been opened',
        },
      ],
    },
    {
      title: 'Links and streams refused by a bound',
      about:
        'Links that were closed for what the device sent, and streams beyond the bounds of a device or an account.',
      unit: 'short',
      lines: [
        {
          expr: 'sum by (breach) (increase(warren_tunnels_agent_links_breached_total[5m]))',
          legend: 'link {{breach}}',
        },
        {
          expr: 'sum by (bound) (increase(warren_tunnels_agent_streams_refused_total[5m]))',
          legend: 'stream {{bound}}',
        },
      ],
    },
    {
      title: 'Links paused for others',
      about:
        'Seconds per second in which links were not read: their account had its slice of the event loop, or a read brought too many small pieces.',
      unit: 's',
      lines: [{ expr: rate('warren_tunnels_agent_links_paused_seconds_total', 'why'), legend: '{{why}}' }],
    },
    {
      title: 'Agents of each replica',
      about: 'New agents go to the less loaded of two.',
      unit: 'short',
      lines: [{ expr: 'sum by (instance) (warren_tunnels_agents_connected)', legend: '{{instance}}' }],
    },
    {
      title: 'Room for agents',
      about: 'Which part of its links (MAX_LINKS) each replica uses.',
      unit: 'percentunit',
      lines: [{ expr: 'warren_tunnels_agents_connected / warren_tunnels_agents_max', legend: '{{instance}}' }],
    },
    {
      title: "Upgrades of browsers' sockets",
      about:
        'By status, 101 is a connection. Here: served by the replica that was asked. Passed: brought to the one that holds the device, which counts it as well.',
      unit: 'reqps',
      lines: [{ expr: rate('warren_tunnels_socket_upgrades_total', 'status', 'way'), legend: '{{status}} {{way}}' }],
    },
    {
      title: 'Passed on between replicas',
      about: 'Connections that came to a replica that does not hold their device.',
      unit: 'short',
      lines: [{ expr: 'sum by (kind) (warren_tunnels_passed_open)', legend: '{{kind}}' }],
    },
    {
      title: 'Connections through the gateways',
      about:
        'Sockets of browsers, links of agents, and upgrades of web services, unless an ingress routes them past the gateways.',
      unit: 'short',
      lines: [{ expr: 'sum by (kind) (warren_gateway_relays_open)', legend: '{{kind}}' }],
    },
    {
      title: 'Upgrades through the gateways by status',
      about: '101 is a connection.',
      unit: 'reqps',
      lines: [
        {
          expr: rate('warren_gateway_upgrades_total', 'kind', 'status'),
          legend: '{{kind}} {{status}}',
          emptyWhen: 'the ingress leads all of them past the gateways',
        },
      ],
    },
    {
      title: 'Bytes through the gateways',
      about: 'Counted when a connection ends.',
      unit: 'Bps',
      lines: [
        { expr: rate('warren_gateway_relay_bytes_total', 'kind', 'direction'), legend: '{{kind}} {{direction}}' },
      ],
    },
  ],
};
