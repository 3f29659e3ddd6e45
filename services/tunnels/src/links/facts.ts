import { toBinary } from '@bufbuild/protobuf';
import { Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { DevicesService, type FactsRefusal } from '@warren/proto/devices/v1/devices';
import { setTimeout as wait } from 'node:timers/promises';
import { RequestBatcher } from './request.batcher.ts';
import { setClockOffset } from './clock.offset.ts';
import type { AgentLink } from './link.ts';
import { Pace } from './pace.ts';
import { Rush } from './rush.ts';

/** Minimum interval between reports of a device. */
const SPACING_MS = 1_000;
const RETRY_MS = 15_000;
/** Links per second that start to be followed, also during a storm of dials; facts can wait, links and terminals cannot. */
const BEGIN_PER_S = 100;
const BEGIN_PER_S_IN_A_RUSH = 5;
/** Facts may be slightly late, so many devices share a message: this many of the largest reports fit into one. */
const BATCHING = { batchSize: 64, concurrency: 2, lingerMs: 250 };
/** More than the largest facts that the devices service accepts. */
const MAX_FACTS_BYTES = 8_192;

/** The facts of one device. */
interface Report {
  deviceId: string;
  facts: Facts;
  publicIp: string;
  /** The hardware's serial if the hub is uncertain of the device's; else empty. */
  serial: string;
}

/** Forwards reported facts to the devices service; only the latest of a device that reports too often. */
@Injectable()
export class FactsReporter {
  private readonly log = new Logger(FactsReporter.name);
  private readonly pace = new Pace(
    (link: AgentLink) => void this.keepReading(link),
    () => (this.rush.isOn() ? BEGIN_PER_S_IN_A_RUSH : BEGIN_PER_S),
  );
  private readonly reports = new RequestBatcher((reports: Report[]) => this.reportMany(reports), BATCHING);

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    private readonly rush: Rush,
  ) {}

  /** Follows a link's facts in its turn, until it closes. */
  follow(link: AgentLink): void {
    this.pace.add(link.deviceId, link);
  }

  private async keepReading(link: AgentLink): Promise<void> {
    while (!link.departure.fired) {
      try {
        await this.read(link);
      } catch (error) {
        if (!link.departure.fired)
          this.log.warn({ device: link.deviceId, err: error }, 'Reading facts of a device failed.');
      }
      if (link.departure.fired) return;
      await pause(RETRY_MS * (0.5 + Math.random()), link.departure.signal);
    }
  }

  /** Reads until the agent ends the call, or is asked to leave. */
  private read(link: AgentLink): Promise<void> {
    let latest: Facts | undefined;
    let sending: Promise<void> | undefined;
    const take = () => {
      const next = latest;
      latest = undefined;
      return next;
    };
    return new Promise((resolve, reject) => {
      const call = link.facts({
        message: (facts) => {
          setClockOffset(facts, Date.now(), link.rtt);
          latest = facts;
          sending ??= this.send(link, take).finally(() => (sending = undefined));
        },
        writable: () => {},
        ended: (error) => {
          stay();
          if (error) reject(error);
          else resolve();
        },
      });
      const stay = link.departure.listen(() => call.cancel());
    });
  }

  private async send(link: AgentLink, take: () => Facts | undefined): Promise<void> {
    for (let facts = take(); facts && link.alive; facts = take() ?? undefined) {
      let reported = false;
      while (!reported && link.alive) {
        reported = await this.report(link, facts);
        await wait(reported ? SPACING_MS : RETRY_MS * (0.1 + Math.random() / 5), undefined, { ref: false });
        if (!reported) facts = take() ?? facts;
      }
    }
  }

  /** @returns false to retry */
  private async report(link: AgentLink, facts: Facts): Promise<boolean> {
    const { deviceId, publicIp } = link;
    const serial = link.serialKnown ? '' : link.serial;
    const bytes = toBinary(FactsSchema, facts).length;
    if (bytes > MAX_FACTS_BYTES) {
      this.log.warn({ device: deviceId, bytes }, 'Facts of a device are too long.');
      return true;
    }
    try {
      const refusal = await this.reports.get({ deviceId, facts, publicIp, serial });
      if (refusal) this.log.warn({ device: deviceId, why: refusal.message }, 'Facts of a device were refused.');
      // The device was deleted while it dialled, so the event came before its link.
      if (refusal?.code === 'not_found') link.destroy();
      return true;
    } catch (error) {
      const code = error instanceof Fault ? error.code : undefined;
      const passing = code === 'unavailable' || code === 'deadline_exceeded' || code === 'resource_exhausted';
      if (!passing) this.log.warn({ device: deviceId, err: error }, 'Failed to report the facts of a device.');
      return !passing;
    }
  }

  private async reportMany(reports: Report[]): Promise<(FactsRefusal | undefined)[]> {
    const { refused } = await this.devices.reportFacts(serviceCaller('tunnels'), { reports });
    const byDevice = new Map(refused.map((refusal) => [refusal.deviceId, refusal]));
    return reports.map(({ deviceId }) => byDevice.get(deviceId));
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await wait(ms, undefined, { signal, ref: false }).catch(() => {});
}
