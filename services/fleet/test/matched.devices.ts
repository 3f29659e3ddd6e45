import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import type {
  CountMatchesRequest,
  DeviceMatchesSchema,
  DeviceQuery,
  ListDeviceAccountsRequest,
  MatchDevicesRequest,
  MatchingService,
} from '@warren/proto/devices/v1/matching';
import { matches, type FilterDevice } from '@warren/rules/filter/match';
import { expandFilter } from '@warren/rules/filter/expand';
import { parseReferring } from '@warren/rules/filter/parse';
import { v7 as uuidv7 } from 'uuid';

/** Devices in an answer, as the devices service bounds it. */
const MOST = 2_000;

/** A device as conditions see it. */
export interface MatchedDevice extends FilterDevice {
  id: string;
  breaks: number;
  failedUpdate: string;
  failedJob: string;
}

/** Stands for the devices service where conditions are asked. */
export class MatchedDevices implements RpcHandlers<typeof MatchingService> {
  readonly devices = new Map<string, MatchedDevice>();
  readonly accountNames = new Map<string, string>();
  /** Saved filters of every account, by key. */
  readonly saved = new Map<string, string>();
  /** Whether it refuses to answer. */
  down = false;
  /** Queries that were asked. */
  asked: DeviceQuery[] = [];
  /** Runs before each answer. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();

  /** Forgets devices and accounts, and answers again. */
  clear(): void {
    this.devices.clear();
    this.accountNames.clear();
    this.saved.clear();
    this.down = false;
  }

  /** Adds a connected device that is well. */
  add(account: string, more: Partial<MatchedDevice> = {}): MatchedDevice {
    const id = uuidv7();
    const now = Date.now();
    const device: MatchedDevice = {
      id,
      labels: {},
      connected: true,
      name: `pi-${this.devices.size}`,
      hostname: `pi-${this.devices.size}`,
      account: { id: account, name: this.accountNames.get(account) ?? '' },
      serial: id,
      addresses: [],
      os: '',
      kernel: '',
      arch: '',
      model: '',
      agentVersion: '',
      lastSeen: now,
      created: now - 1_000_000,
      console: true,
      web: false,
      breaks: 0,
      failedUpdate: '',
      failedJob: '',
      ...more,
    };
    this.devices.set(id, device);
    return device;
  }

  /** An account that has a name. */
  account(name: string): string {
    const id = uuidv7();
    this.accountNames.set(id, name);
    return id;
  }

  matchDevices = async (_caller: Caller, { queries, after }: MatchDevicesRequest) => {
    if (this.down) throw new Fault('unavailable', 'devices can not be asked.');
    await this.beforeAnswer();
    this.asked.push(...queries);
    const answers: MessageInitShape<typeof DeviceMatchesSchema>[] = [];
    let room = MOST;
    for (const [at, query] of queries.entries()) {
      if (room === 0) break;
      const expanded = this.expanded(query.filter);
      if (!expanded.ok) {
        answers.push({ undecided: expanded.message });
        continue;
      }
      const rest = this.found(query).filter(({ id }) => at > 0 || id > after);
      const fitting = rest.slice(0, room);
      answers.push({
        matches: fitting.map((device) => matchOf(query, device)),
        next: rest.length > room ? (fitting.at(-1)?.id ?? '') : '',
      });
      room -= fitting.length;
    }
    return { answers };
  };

  countMatches = async (_caller: Caller, { queries }: CountMatchesRequest) => ({
    counts: queries.map((query) => this.found(query).length),
  });

  listDeviceAccounts = async (_caller: Caller, { after }: ListDeviceAccountsRequest) => {
    if (this.down) throw new Fault('unavailable', 'devices can not be asked.');
    const used = new Set([...this.devices.values()].map(({ account }) => account.id));
    const ids = [...this.accountNames.keys()].sort().filter((id) => id > after);
    return {
      accounts: ids.map((id) => ({ id, name: this.accountNames.get(id) ?? '', hasDevices: used.has(id) })),
    };
  };

  private found({ accountIds, deviceIds, filter, condition }: DeviceQuery): MatchedDevice[] {
    const [accounts, ids] = [new Set(accountIds), new Set(deviceIds)];
    const now = Date.now();
    return [...this.devices.values()]
      .filter((device) => accounts.has(device.account.id) && (ids.size === 0 || ids.has(device.id)))
      .filter((device) => this.holds(filter, device, now))
      .filter((device) => this.conditionHolds(condition, device, now))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** A filter with the saved ones expanded. */
  expanded(text: string) {
    const parsed = parseReferring(text);
    if (!parsed.ok) throw new Fault('invalid_argument', parsed.errors[0]?.message ?? '');
    return expandFilter(parsed.filter, (key) => this.saved.get(key));
  }

  private holds(text: string, device: FilterDevice, now: number): boolean {
    const expanded = this.expanded(text);
    if (!expanded.ok) throw new Fault('invalid_argument', expanded.message);
    return matches(expanded.filter, device, now);
  }

  private conditionHolds(condition: DeviceQuery['condition'], device: MatchedDevice, now: number): boolean {
    switch (condition.case) {
      case 'expression':
        return this.holds(condition.value, device, now);
      case 'linkBreaks':
        return device.breaks >= condition.value.times;
      case 'failedUpdate':
        return device.failedUpdate !== '';
      case 'failedJob':
        return device.failedJob !== '';
      case undefined:
        return true;
    }
  }
}

function matchOf({ condition }: DeviceQuery, device: MatchedDevice) {
  const usesFacts =
    condition.case === 'expression' && /cpu|disk|memory|temperature|throttled|clock/.test(condition.value);
  const value = measuredIn(condition, device);
  return {
    deviceId: device.id,
    accountId: device.account.id,
    name: device.name,
    current: !usesFacts || device.connected,
    since: timestampFromMs(device.lastSeen),
    detail: condition.case === 'failedJob' ? device.failedJob : device.failedUpdate,
    ...(value !== undefined && { value }),
  };
}

function measuredIn(condition: DeviceQuery['condition'], { breaks, clockOffset = 0, disk }: MatchedDevice) {
  if (condition.case === 'linkBreaks') return breaks;
  if (condition.case !== 'expression') return undefined;
  return condition.value.startsWith('clock') ? Math.abs(clockOffset) : disk;
}
