import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { ReportFactsRequest } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { deviceChanged } from '../devices/device.event.ts';
import { addressText, check, checkFacts, type CheckedFacts } from './facts.ts';

/** Columns of `devices` that facts fill, with their values; `public_ip` only when it is known. */
export function columnsOf(facts: CheckedFacts, publicIp: string): Record<string, string | number> {
  return {
    ...{ name: facts.hostname, private_ip: facts.privateIp, cpu_cores: facts.cpuCores },
    ...{ total_ram: String(facts.totalRam), total_disk: String(facts.totalDisk) },
    ...{ os: facts.os, kernel: facts.kernel, arch: facts.arch, model: facts.model, agent_version: facts.agentVersion },
    ...(publicIp ? { public_ip: publicIp } : {}),
  };
}

/** Keeps the latest use of CPU, memory and disk. */
export async function writeUsage(manager: EntityManager, deviceId: string, facts: CheckedFacts): Promise<void> {
  await manager.query(
    `INSERT INTO device_facts (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, reported)
     VALUES ($1, $2, $3, $4, $5, now())
     ON CONFLICT (device_id) DO UPDATE
     SET cpu_usage = $2, used_ram = $3, used_disk = $4, uptime_seconds = $5, reported = now()`,
    [deviceId, facts.cpuUsage, String(facts.usedRam), String(facts.usedDisk), String(facts.uptimeSeconds)],
  );
}

/** What devices say of themselves. */
@Injectable()
export class FactsService {
  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  /**
   * Tunnels only. What a device is (names, addresses, sizes, versions) is announced when it changes; what it uses right
   * now changes with every report and is not, or a fleet would flood every console.
   * @throws Fault `not_found` for an unknown device, `invalid_argument` naming each bad field
   */
  async report(caller: Caller, request: Omit<ReportFactsRequest, '$typeName'>): Promise<Record<string, never>> {
    requireService(caller, 'tunnels');
    const { deviceId } = request;
    if (!isUuid(deviceId)) throw new Fault('not_found', `Not found: device ${deviceId}.`);
    const facts = checkFacts(request.facts);
    const publicIp = check('public_ip', addressText, request.publicIp);
    await this.outbox.transaction(async (manager, emit) => {
      const accountId = await this.lock(manager, deviceId);
      if (await updateIfDifferent(manager, deviceId, columnsOf(facts, publicIp)))
        emit(deviceChanged(deviceId, accountId));
      await writeUsage(manager, deviceId, facts);
    });
    return {};
  }

  /** Holds the device's row, so that it is not deleted meanwhile. */
  private async lock(manager: EntityManager, deviceId: string): Promise<string> {
    const [row] = await manager.query<{ account_id: string }[]>(
      'SELECT account_id FROM devices WHERE id = $1 FOR SHARE',
      [deviceId],
    );
    if (!row) throw new Fault('not_found', `Not found: device ${deviceId}.`);
    return row.account_id;
  }
}

async function updateIfDifferent(
  manager: EntityManager,
  deviceId: string,
  columns: Record<string, string | number>,
): Promise<boolean> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 2}`);
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE devices SET (${names.join()}) = (${places.join()})
     WHERE id = $1 AND (${names.join()}) IS DISTINCT FROM (${places.join()})`,
    [deviceId, ...Object.values(columns)],
  );
  return count > 0;
}
