import { Inject, Injectable } from '@nestjs/common';
import { faultText } from '@warren/platform/errors/error.text';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { ActivityKind, type FactsReport } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { deviceChanged } from '../events/device.event.ts';
import { calledName, record } from '../history/history.ts';
import { addressText, check, checkFacts, serialText } from './facts.ts';
import {
  confirmSerials,
  lockReported,
  updateDifferent,
  writeFacts,
  type Checked,
  type ReportedRow,
} from './facts.sql.ts';

const MOST_REPORTS = 200;

/** A report that was not taken, and why. */
export interface Refusal {
  deviceId: string;
  code: string;
  message: string;
}

type Report = Omit<FactsReport, '$typeName'>;

/** What devices say of themselves. */
@Injectable()
export class FactsService {
  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  /**
   * Tunnels only. What a device is (names, addresses, sizes, versions) is announced when it changes; what it uses right
   * now changes with every report and is not, or a fleet would flood every console. A report that is no good is refused by
   * itself: `not_found` for an unknown device, `invalid_argument` naming each bad field.
   * @throws Fault `invalid_argument` for more than 200 reports
   */
  async report(caller: Caller, { reports }: { reports: Report[] }): Promise<{ refused: Refusal[] }> {
    requireService(caller, 'tunnels');
    if (reports.length > MOST_REPORTS) {
      throw invalidInput({ field: 'reports', message: `${reports.length} came, expected at most ${MOST_REPORTS}.` });
    }
    const refused: Refusal[] = [];
    const good = new Map<string, Checked>();
    for (const report of reports) {
      const checked = checkReport(report);
      if (checked instanceof Fault) refused.push(refusal(report.deviceId, checked));
      else good.set(report.deviceId, checked);
    }
    const known = good.size > 0 ? await this.keep(good) : new Set();
    for (const id of good.keys()) if (!known.has(id)) refused.push(refusal(id, unknown(id)));
    return { refused };
  }

  /** @returns the ids of the devices that exist */
  private keep(good: ReadonlyMap<string, Checked>): Promise<Set<string>> {
    return this.outbox.transaction(async (manager, emit) => {
      const rows = await lockReported(manager, [...good.keys()]);
      const found = new Set(rows.map(({ id }) => id));
      const reports = [...good.values()].filter(({ deviceId }) => found.has(deviceId));
      await recordUpdates(manager, rows, good);
      const columns = await updateDifferent(manager, reports);
      const facts = await writeFacts(manager, reports);
      const changed = new Set([...columns, ...facts, ...(await confirmSerials(manager, reports))]);
      for (const { id, account_id: accountId } of rows) if (changed.has(id)) emit(deviceChanged(id, accountId));
      return found;
    });
  }
}

/** Records which devices run another version of the agent than before. */
function recordUpdates(
  manager: EntityManager,
  rows: readonly ReportedRow[],
  good: ReadonlyMap<string, Checked>,
): Promise<void> {
  const updates = rows.flatMap((row) => {
    const version = good.get(row.id)?.facts.agent_version ?? '';
    if (!row.agent_version || !version || version === row.agent_version) return [];
    const { id: deviceId, account_id: accountId } = row;
    return [{ kind: ActivityKind.UPDATED, deviceId, accountId, deviceName: calledName(row), detail: version }];
  });
  return record(manager, updates);
}

function checkReport({ deviceId, facts, publicIp, serial }: Report): Checked | Fault {
  try {
    if (!isUuid(deviceId)) throw unknown(deviceId);
    return {
      deviceId,
      facts: checkFacts(facts),
      publicIp: check('public_ip', addressText, publicIp),
      serial: serial && check('serial', serialText, serial),
    };
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

const unknown = (deviceId: string) => new Fault('not_found', `device ${deviceId}.`);
const refusal = (deviceId: string, fault: Fault): Refusal => ({
  deviceId,
  code: fault.code,
  message: faultText(fault),
});
