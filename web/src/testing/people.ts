import { EXAMPLE_FACTS } from '@warren/rules/facts';
import type { Device, Session } from '../lib/api/types.ts';

export const ACCOUNT = '01997b5c-2f4e-7d3a-9c51-000000000001';

/** An active Member of an ordinary account, changed as a test needs. */
export function person(change: Partial<Session> = {}): Session {
  return {
    user: '01997b5c-2f4e-7d3a-9c51-0000000000aa',
    name: 'Ada Brown',
    email: 'ada@example.org',
    picture: '',
    account: ACCOUNT,
    account_name: 'Northwind',
    status: 'Active',
    need_accept: 'No',
    accept_token: '',
    group: { id: '01997b5c-2f4e-7d3a-9c51-0000000000bb', role: 'Member' },
    operator: false,
    permissions: [],
    granted: [],
    settings: false,
    webssh: false,
    access_requests: false,
    guest_links: false,
    invitation_account: '',
    ...change,
  } as Session;
}

const { arch: _arch, uptime_seconds: _uptime, throttled: _throttled, ...facts } = EXAMPLE_FACTS;

export function device(change: Partial<Device> = {}): Device {
  return {
    _id: 'd1',
    id: 'd1',
    serial: 's1',
    name: 'rpi-1',
    custom_name: 'Greenhouse',
    account: { id: ACCOUNT, name: 'Northwind' },
    status: 'Connected',
    status_since: '2026-03-04T10:00:00.000Z',
    ssh_enable: 'Yes',
    http_enable: 'No',
    http_port: 1880,
    http_ip: '127.0.0.1',
    http_host: 'public',
    http_permissions: [],
    vnc_ip: '127.0.0.1',
    vnc_port: 5900,
    cloned: 'No',
    machine_waits: 'No',
    machines: [],
    permissions: ['view', 'terminal', 'desktop', 'web'],
    rights: [],
    labels: {},
    notes: '',
    replaces: null,
    http_address: 'abc.devices.test',
    private_ip: '192.168.1.20',
    public_ip: '203.0.113.9',
    ...facts,
    cpu_cores: 4,
    cpu_usage: 12.5,
    total_ram: 8 * 2 ** 30,
    used_ram: 2 ** 30,
    total_disk: 64 * 2 ** 30,
    used_disk: 16 * 2 ** 30,
    os: 'Debian',
    kernel: '6.6',
    model: 'Pi',
    uptime: 60,
    agent_version: '0.1.0',
    fullest_disk: null,
    fullest_disk_usage: null,
    load: null,
    clock_offset: null,
    temperature: null,
    throttling: null,
    facts_at: '2026-03-04T10:00:00.000Z',
    created: '2026-03-04T10:00:00.000Z',
    ...change,
  };
}
