import type { Board } from '../dashboard.ts';
import { quantile, rate } from '../promql.ts';

const API = 'warren_http_request_duration_seconds{route!~"console|none|/api/events"}';
const LOOKUPS = 'warren_gateway_session_lookups_total';
const COUNT = 'warren_http_request_duration_seconds_count';

export const api: Board = {
  uid: 'warren-api',
  title: 'Warren / API',
  about: 'What browsers ask the gateway, and what the services ask one another.',
  panels: [
    {
      title: 'Requests by status',
      about: 'All of the public address but upgrades and the web services of devices.',
      unit: 'reqps',
      lines: [{ expr: rate(COUNT, 'status'), legend: '{{status}}' }],
    },
    {
      title: 'Duration of requests',
      about: 'Without the files of the console and streams of changes, which last as long as the page.',
      unit: 's',
      lines: [0.5, 0.95, 0.99].map((q) => ({ expr: quantile(q, API), legend: `p${q * 100}` })),
    },
    {
      title: 'Slowest routes',
      about: '95th percentile.',
      unit: 's',
      lines: [{ expr: `topk(8, ${quantile(0.95, API, 'method', 'route')})`, legend: '{{method}} {{route}}' }],
    },
    {
      title: 'Server errors by route',
      about: '5xx.',
      unit: 'reqps',
      lines: [
        {
          expr: rate(`${COUNT}{status=~"5.."}`, 'method', 'route'),
          legend: '{{method}} {{route}}',
          emptyWhen: 'there were none',
        },
      ],
    },
    {
      title: 'Sessions known to the gateway',
      about: 'Share of requests for which the gateway asked neither identity for the session nor tenancy for its user.',
      unit: 'percentunit',
      lines: [
        {
          expr: `${rate(`${LOOKUPS}{result="hit"}`, 'part')} / ${rate(LOOKUPS, 'part')}`,
          legend: '{{part}}',
        },
      ],
    },
    {
      title: 'Calls between services',
      about: 'As their callers see them.',
      unit: 'reqps',
      lines: [{ expr: rate('warren_rpc_client_duration_seconds_count', 'rpc_service'), legend: '{{rpc_service}}' }],
    },
    {
      title: 'Slowest calls',
      about: '95th percentile of what the callers wait.',
      unit: 's',
      lines: [
        {
          expr: `topk(8, ${quantile(0.95, 'warren_rpc_client_duration_seconds', 'rpc_service', 'rpc_method')})`,
          legend: '{{rpc_service}}/{{rpc_method}}',
        },
      ],
    },
    {
      title: 'Calls that failed',
      about: 'On our side: codes of refusals are left out.',
      unit: 'reqps',
      lines: [
        {
          expr: rate(
            'warren_rpc_client_duration_seconds_count{code=~"internal|unavailable|deadline_exceeded"}',
            'component',
            'rpc_service',
            'code',
          ),
          legend: '{{component}} to {{rpc_service}}: {{code}}',
          emptyWhen: 'there were none',
        },
      ],
    },
    {
      title: 'Calls in flight',
      about: 'That each service works on; 512 a process is the most.',
      unit: 'short',
      lines: [{ expr: 'sum by (component) (warren_rpc_server_in_flight)', legend: '{{component}}' }],
    },
    {
      title: 'Answers of services',
      about: '95th percentile, as the services measure it: what the callers wait beyond is the bus.',
      unit: 's',
      lines: [{ expr: quantile(0.95, 'warren_rpc_server_duration_seconds', 'rpc_service'), legend: '{{rpc_service}}' }],
    },
    {
      title: 'Sign-ins',
      about: 'Refused: the answer of the provider could not be accepted.',
      unit: 'reqps',
      lines: [
        { expr: rate('warren_identity_sign_ins_total', 'provider', 'result'), legend: '{{provider}}: {{result}}' },
        { expr: rate('warren_identity_sign_outs_total', 'reason'), legend: 'ended: {{reason}}' },
      ],
    },
    {
      title: 'Socket tokens',
      about: 'Each opens one session; many that are refused are a probe, or clocks that differ.',
      unit: 'reqps',
      lines: [{ expr: rate('warren_identity_socket_tokens_total', 'result'), legend: '{{result}}' }],
    },
    {
      title: 'API tokens',
      about:
        'Requests with a token, and look-ups of tokens. Many that are refused are a probe, or a program whose token has expired.',
      unit: 'reqps',
      lines: [
        { expr: rate('warren_gateway_token_requests_total', 'outcome'), legend: '{{outcome}}' },
        { expr: rate('warren_identity_token_checks_total', 'result'), legend: 'looked up: {{result}}' },
      ],
    },
    {
      title: 'Guest links',
      about: 'Steps in the last hour. Many that are refused are wrong PINs, or links that are over.',
      unit: 'short',
      lines: [{ expr: 'sum by (step) (increase(warren_identity_guest_links_total[1h]))', legend: '{{step}}' }],
    },
    {
      title: 'Reviews of guest links',
      about:
        'Links whose makers may have lost what the links give, and for how long the oldest has waited. Reviews take seconds.',
      unit: 'short',
      lines: [
        { expr: 'max(warren_identity_guest_reviews_due)', legend: 'due' },
        { expr: 'max(warren_identity_guest_reviews_oldest_seconds)', legend: 'oldest, in seconds' },
      ],
    },
    {
      title: 'Access requests',
      about: 'Those that nobody has decided yet, and their steps.',
      unit: 'short',
      lines: [
        { expr: 'max(warren_tenancy_access_requests_open)', legend: 'open' },
        {
          expr: 'sum by (step) (increase(warren_tenancy_access_requests_total[$__rate_interval]))',
          legend: '{{step}}',
        },
      ],
    },
    {
      title: 'Oldest access request',
      about: 'Each expires after 24 hours without a decision.',
      unit: 's',
      lines: [{ expr: 'max(warren_tenancy_access_requests_oldest_seconds)', legend: 'waits for' }],
    },
    {
      title: 'Error budgets, last hour',
      about: 'Which part of what was asked for missed its objective (docs/watch.md, Objectives).',
      unit: 'percentunit',
      lines: [
        {
          expr: '{__name__="warren:slo_errors:ratio_rate1h"}',
          legend: '{{slo}}',
          emptyWhen: 'nothing was asked for, or the rules are not loaded',
        },
      ],
    },
  ],
};
