import { Injectable } from '@nestjs/common';
import { faultText } from '@warren/platform/errors/error.text';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { DeviceSamples, MetricsRefusal, ReportMetricsRequest } from '@warren/proto/fleet/v1/metrics';
import { validate as isUuid } from 'uuid';
import { DeviceDirectory } from '../devices/device.directory.ts';
import { RemoteWrite } from '../remote-write/remote-write.ts';
import { checkSample } from '../series/samples.ts';
import type { Batch } from '../store/incoming.ts';
import { samplesDropped, samplesStored } from '../telemetry/metrics.ts';
import { ReportStore } from './report.store.ts';

const MOST_DEVICES = 200;
const MOST_SAMPLES = 5_000;

type Refusal = Omit<MetricsRefusal, '$typeName' | '$unknown'>;

/** What devices measure. */
@Injectable()
export class ReportService {
  constructor(
    private readonly store: ReportStore,
    private readonly directory: DeviceDirectory,
    private readonly remote: RemoteWrite,
  ) {}

  /**
   * Tunnels only. Samples out of time are left out, and values out of bounds; a device that does not exist is refused. The same
   * samples may come again: what is read has each time once.
   * @throws Fault `invalid_argument` for more than 200 devices or 5,000 samples; `unavailable`
   */
  async report(caller: Caller, { devices }: Pick<ReportMetricsRequest, 'devices'>): Promise<{ refused: Refusal[] }> {
    requireService(caller, 'tunnels');
    requireBounds(devices);
    const batches = checked(devices, Math.floor(Date.now() / 1_000));
    const stored = await this.keep(batches);
    const unnamed = devices.filter(({ deviceId }) => !isUuid(deviceId));
    const unknown = batches.filter(({ deviceId }) => !stored.has(deviceId));
    return { refused: [...unnamed, ...unknown].map(({ deviceId }) => refusal(deviceId)) };
  }

  /** @returns the ids of devices whose samples are stored */
  private async keep(batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    if (batches.length === 0) return new Set();
    const known = await this.store.store(batches);
    const unknown = batches.filter(({ deviceId }) => !known.has(deviceId));
    const learnt = new Set(await this.directory.learn(unknown.map(({ deviceId }) => deviceId)));
    const late = unknown.filter(({ deviceId }) => learnt.has(deviceId));
    const more = late.length > 0 ? await this.store.store(late) : [];
    const newest = new Map([...known, ...more]);
    const stored = batches.filter(({ deviceId }) => newest.has(deviceId));
    samplesStored.inc(stored.reduce((sum, { samples }) => sum + samples.length, 0));
    this.remote.add(stored, newest);
    return new Set(stored.map(({ deviceId }) => deviceId));
  }
}

function requireBounds(devices: readonly DeviceSamples[]): void {
  const samples = devices.reduce((sum, device) => sum + device.samples.length, 0);
  if (devices.length <= MOST_DEVICES && samples <= MOST_SAMPLES) return;
  const message = `${devices.length} with ${samples} samples came, expected at most ${MOST_DEVICES} with ${MOST_SAMPLES}.`;
  throw invalidInput({ field: 'devices', message });
}

/** Each device once, with the samples that count; without the devices that have none. */
function checked(devices: readonly DeviceSamples[], now: number): Batch[] {
  const byDevice = Map.groupBy(
    devices.filter(({ deviceId }) => isUuid(deviceId)),
    ({ deviceId }) => deviceId,
  );
  return [...byDevice].flatMap(([deviceId, reports]) => {
    const all = reports.flatMap(({ samples }) => samples);
    const samples = all.flatMap((sample) => checkSample(sample, now) ?? []);
    if (samples.length < all.length) samplesDropped.inc(all.length - samples.length);
    return samples.length > 0 ? [{ deviceId, samples }] : [];
  });
}

function refusal(deviceId: string): Refusal {
  const fault = new Fault('not_found', `device ${deviceId}.`);
  return { deviceId, code: fault.code, message: faultText(fault) };
}
