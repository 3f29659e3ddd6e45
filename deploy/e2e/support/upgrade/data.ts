import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { until } from '@warren/infra/until';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { SecondAgent } from '../agent.ts';
import { device, enrolmentToken, getJson, sendJson, type DeviceJson } from '../api.ts';
import { query } from '../database.ts';
import { AccessData } from './access.ts';
import type { Site, Visitor } from './site.ts';

/** Rows of identity's former table are handed over every 10 s; rules are looked at every 30 s. */
const PATIENCE_MS = 150_000;
/** The agent takes samples every minute, the second one is the first that counts, and tunnels fetches them every minute. */
const SAMPLE_MS = 300_000;
/** The agent takes a sample each minute; a busy machine may be late for one. */
const LARGEST_GAP_S = 130;
/** Short enough for points of a minute. */
const HISTORY_S = 7_200;
/** What this version's agent says that it is. */
const NEWER = '900.0.0';
const NAME = 'Named by the former release';
const NOTE = 'Seen before the way back.';
const LABELS = { site: 'north', rack: '7' };

interface Metrics {
  times: number[];
  series: { name: string; values: (number | null)[] }[];
}
interface Alert {
  id: string;
  ruleName: string;
  deviceId: string;
  acknowledged?: { note: string };
}

/** The data of an installation whose version changes: what the former release made, and what only this version has. */
export class SiteData {
  private before: Partial<DeviceJson> = {};
  private alert = '';
  private agent: SecondAgent | undefined;
  private agentSettings: Record<string, string> = {};
  /** The device of this version's agent. */
  private added = '';
  private readonly access: AccessData;

  constructor(
    private readonly site: Site,
    private readonly operator: Visitor,
  ) {
    this.access = new AccessData(site, operator);
  }

  private get request() {
    return this.operator.request;
  }

  private get account(): string {
    return this.site.warren.facts.device.account;
  }

  /** Names the device as people of the former release do, and notes what that says of it. */
  async noteFormer(): Promise<void> {
    await this.call('PUT', '/api/devices/change_hostname', { id: this.site.device, custom_name: NAME });
    this.before = await this.described();
    expect(this.before.custom_name).toBe(NAME);
    expect(Number((await this.former('count(*)'))[0])).toBeGreaterThan(0);
  }

  /** The device is what it was, and each event of the former release is in the trail. */
  async expectFormer(): Promise<void> {
    expect(await this.described()).toEqual(this.before);
    await until(async () => (await this.missing()) === 0, PATIENCE_MS).catch(() => {});
    expect(await this.missing()).toBe(0);
    const [id = ''] = await this.former('id', "WHERE action = 'sign_in' ORDER BY id LIMIT 1");
    const [email = ''] = await this.former('actor', `WHERE id = '${id}'`);
    const { event } = await getJson<{ event: object }>(this.request, `/api/audit/events/${id}`);
    expect(event).toMatchObject({ action: 'session.sign_in', outcome: 'success', actor: { kind: 'user', email } });
  }

  /**
   * Makes what only this version has: labels, what gives access, an alert rule with an acknowledged alert, the history of a device with this
   * version's agent.
   */
  async addOwn(): Promise<void> {
    await this.access.add();
    await this.call('PUT', '/api/devices/labels', { ids: [this.site.device], set: LABELS });
    const rule = { account: this.account, name: 'Kept', kind: 'condition', condition: 'status=connected', minutes: 0 };
    await this.call('POST', '/api/alert-rules', rule);
    await this.install();
    await until(async () => (await this.open()) !== undefined, PATIENCE_MS);
    this.alert = (await this.open())?.id ?? '';
    await this.call('POST', '/api/alerts/acknowledge', { ids: [this.alert], note: NOTE });
    await this.expectOwn();
  }

  /** Labels, access, rule and alert are still the same, and none is there twice. */
  async expectOwn(): Promise<void> {
    await this.access.expectKept();
    const { labels } = await getJson<{ labels: { key: string; values: object[] }[] }>(
      this.request,
      `/api/labels?account=${this.account}`,
    );
    for (const [key, value] of Object.entries(LABELS))
      expect(labels).toContainEqual(expect.objectContaining({ key, values: [{ value, count: 1 }] }));
    const { rules } = await getJson<{ rules: { name: string }[] }>(
      this.request,
      `/api/alert-rules?account=${this.account}`,
    );
    expect(rules.filter(({ name }) => name === 'Kept')).toHaveLength(1);
    expect(await this.open()).toMatchObject({ id: this.alert, acknowledged: { note: NOTE } });
  }

  /** Waits for samples from now on: the history has no gap, whichever version ran meanwhile. @returns how many there are */
  async expectHistory(): Promise<number> {
    const since = Date.now() / 1_000;
    await until(async () => (await this.samples()).some((time) => time > since), SAMPLE_MS);
    const times = await this.samples();
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(LARGEST_GAP_S);
    return times.length;
  }

  /** Waits until this version's agent is connected, to whichever version. */
  async expectAgent(): Promise<void> {
    await until(async () => (await device(this.request, this.added)).status === 'Connected', PATIENCE_MS);
  }

  /** The chains of audit events are whole. */
  async verifyTrail(): Promise<void> {
    const cwd = join(root, 'services/audit');
    const env = { ...process.env, DATABASE_URL: this.site.database('audit') };
    const said = await command(process.execPath, ['dist/verify.js', 'verify'], { cwd, env });
    expect(said).toMatch(/verified \d+ events of \d+ accounts: whole/);
  }

  async stop(): Promise<void> {
    await this.agent?.remove();
    const folder = this.agentSettings['WARREN_DEVICE_TREE'];
    if (folder) await rm(folder, { recursive: true, force: true });
  }

  private call(method: string, path: string, data: object): Promise<unknown> {
    return sendJson({ request: this.request, hub: this.site.hub }, method, path, data);
  }

  private async described(): Promise<Partial<DeviceJson>> {
    const { id, custom_name, serial, http_address, account } = await device(this.request, this.site.device);
    return { id, custom_name, serial, http_address, account };
  }

  /** Reads one column of identity's table of the former release, which is a view of it in this version. */
  private async former(column: string, rest = ''): Promise<string[]> {
    const rows = await query<{ value: string }>(
      this.site.warren.facts.database,
      `SELECT (${column})::text AS value FROM identity.audit ${rest}`,
    );
    return rows.map(({ value }) => value);
  }

  /** Rows of the former release that are not in the trail exactly once. */
  private async missing(): Promise<number> {
    const once = '(SELECT count(*) FROM audit.events WHERE events.id = audit.id) = 1';
    return Number((await this.former('count(*)', `AS audit WHERE NOT ${once}`))[0]);
  }

  private async open(): Promise<Alert | undefined> {
    const path = `/api/alerts?account=${this.account}&state=open`;
    const { alerts } = await getJson<{ alerts: Alert[] }>(this.request, path);
    const found = alerts.filter(({ ruleName, deviceId }) => ruleName === 'Kept' && deviceId === this.site.device);
    expect(found.length).toBeLessThanOrEqual(1);
    return found[0];
  }

  /** When the agent took its samples, in seconds since 1970. */
  private async samples(): Promise<number[]> {
    const from = Math.floor(Date.now() / 1_000) - HISTORY_S;
    const path = `/api/devices/${this.added}/metrics?series=load&from=${from}`;
    const { times, series } = await getJson<Metrics>(this.request, path);
    const [load] = series;
    return times.filter((_time, at) => load?.values[at] != null);
  }

  private async install(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-board-'));
    await writeFile(join(folder, 'serial-number'), 'e2e-upgrade-board\0');
    this.agentSettings = { WARREN_DEVICE_TREE: folder };
    const { hub } = this.site;
    const { command: line } = await enrolmentToken(this.request, hub, this.site.warren.account('Harbour Lab'));
    this.agent = await SecondAgent.install(line, undefined, this.agentSettings);
    // Both may be of the same version, and the test counts by version.
    await this.agent.pretend(NEWER);
    this.agent.start(this.agentSettings);
    this.added = await this.agent.device();
    await this.expectAgent();
  }
}
