import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

const registers = [registry];

export const linksConnected = new Gauge({
  name: 'warren_tunnels_agents_connected',
  help: 'Agent links that this replica holds.',
  registers,
});

export const recordedSessions = new Gauge({
  name: 'warren_tunnels_recorded_sessions',
  help: 'Terminals and desktops of devices linked here that are to be recorded, by kind.',
  labelNames: ['kind'] as const,
  registers,
});
for (const kind of ['terminal', 'desktop']) recordedSessions.set({ kind }, 0);

export const linksMax = new Gauge({
  name: 'warren_tunnels_agents_max',
  help: 'Agent links that this replica may hold (MAX_LINKS).',
  registers,
});

export const linksEnded = new Counter({
  name: 'warren_tunnels_agent_links_ended_total',
  help: 'Links of agents that ended here and were not followed by a newer one of the same device.',
  registers,
});

export const linksBreached = new Counter({
  name: 'warren_tunnels_agent_links_breached_total',
  help: 'Links that were ended here because of what the device sent, by what that was.',
  labelNames: ['breach'] as const,
  registers,
});

export const streamsRefused = new Counter({
  name: 'warren_tunnels_agent_streams_refused_total',
  help: 'Streams to devices that were not opened or were broken off, by the bound: of the device, of the account, or of unread pieces.',
  labelNames: ['bound'] as const,
  registers,
});

export const linkPauses = new Counter({
  name: 'warren_tunnels_agent_links_paused_seconds_total',
  help: 'Seconds that links of devices were not read, by why: the account had its slice of a turn of the event loop, or one read brought too many small pieces.',
  labelNames: ['why'] as const,
  registers,
});

export const dialsTotal = new Counter({
  name: 'warren_tunnels_agent_dials_total',
  help: 'Dials of agents, by how they were answered (HTTP status) and what carries the link.',
  labelNames: ['status', 'carrier'] as const,
  registers,
});

export const machinesRefused = new Counter({
  name: 'warren_tunnels_machines_refused_total',
  help: "Dials with a device's key by hardware with another serial, by what was decided about it: none, or separate.",
  labelNames: ['decision'] as const,
  registers,
});

export const dialSeconds = new Histogram({
  name: 'warren_tunnels_agent_dial_seconds',
  help: 'From the upgrade request of an agent to its claimed device.',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const linkRtt = new Histogram({
  name: 'warren_tunnels_agent_rtt_seconds',
  help: 'Round trip of a PING through the link.',
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers,
});

export const sessionsOpen = new Gauge({
  name: 'warren_tunnels_sessions_open',
  help: 'Sessions that are attached through this replica, by kind.',
  labelNames: ['kind'] as const,
  registers,
});

export const sharedTerminals = new Gauge({
  name: 'warren_tunnels_shared_terminals',
  help: 'Terminals to which people other than their owner are attached through this replica.',
  registers,
});

export const sharedAttachments = new Gauge({
  name: 'warren_tunnels_shared_terminal_attachments',
  help: 'Attachments of people other than the owner to terminals, by role: reader, or writer after control was handed over.',
  labelNames: ['role'] as const,
  registers,
});

export const sessionStartSeconds = new Histogram({
  name: 'warren_tunnels_session_start_seconds',
  help: 'From the request for a session to what became of it, by kind and outcome: opened; refused by the device or a limit; failed.',
  labelNames: ['kind', 'outcome'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  registers,
});

export const socketUpgrades = new Counter({
  name: 'warren_tunnels_socket_upgrades_total',
  help: "Upgrades of browsers' sockets, by the status they were answered with, and whether this replica served them or passed them on to another.",
  labelNames: ['status', 'way'] as const,
  registers,
});

export const passedOpen = new Gauge({
  name: 'warren_tunnels_passed_open',
  help: 'Connections that are passed on to the replica that holds the device now, by what they are for.',
  labelNames: ['kind'] as const,
  registers,
});

export const sessionBytes = new Counter({
  name: 'warren_tunnels_session_bytes_total',
  help: 'Bytes of sessions, by kind and direction (in: towards the device).',
  labelNames: ['kind', 'direction'] as const,
  registers,
});

export const webRequests = new Counter({
  name: 'warren_tunnels_web_requests_total',
  help: 'Requests for web services of devices that were answered here, by status.',
  labelNames: ['status'] as const,
  registers,
});

export const usageReported = new Gauge({
  name: 'warren_tunnels_usage_reported_timestamp_seconds',
  help: 'When the bus last took all that accounts had used through this replica, or when the replica started.',
  registers,
});

/** What began is there from the start, so that a rate of it counts from the first one. */
for (const kind of ['terminal', 'desktop', 'logs', 'web']) {
  sessionsOpen.set({ kind }, 0);
  for (const direction of ['in', 'out']) sessionBytes.inc({ kind, direction }, 0);
}
for (const role of ['reader', 'writer']) sharedAttachments.set({ role }, 0);
for (const breach of ['control_frames', 'small_frames', 'facts', 'settings']) linksBreached.inc({ breach }, 0);
for (const bound of ['device', 'account', 'pieces']) streamsRefused.inc({ bound }, 0);
for (const why of ['slice', 'small_pieces']) linkPauses.inc({ why }, 0);
for (const kind of ['socket', 'web']) passedOpen.set({ kind }, 0);
for (const way of ['here', 'passed']) socketUpgrades.inc({ status: 101, way }, 0);
for (const kind of ['terminal', 'desktop', 'logs'])
  for (const outcome of ['opened', 'refused', 'failed']) sessionStartSeconds.zero({ kind, outcome });
