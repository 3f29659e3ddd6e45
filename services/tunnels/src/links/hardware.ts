import { Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { newEvent } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { LRUCache } from 'lru-cache';
import { machinesRefused } from '../telemetry/metrics.ts';
import type { Credential } from './credentials.ts';

/** Waiting machines dial each 15 s at most; a device that forges its serial may dial more often. */
const TOLD_EVERY_MS = 5_000;
const TOLD_DEVICES = 20_000;

/** Agents read messages of at most 500 characters. */
const SHOWN = 64;
const clipped = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text);

/** A machine that dials with a device's key. */
interface Machine {
  /** Empty if the agent reports none. */
  serial: string;
  model: string;
  publicIp: string;
}

/**
 * Whether a link comes from other hardware than the device's.
 * @param serial of the machine; empty if the agent reports none
 */
export function isOtherHardware(serial: string, credential: Pick<Credential, 'serial'>): boolean {
  return serial !== '' && credential.serial !== '' && serial !== credential.serial;
}

/** Blocks machines whose serial is not the device's, until a person decides which of them is the device. */
@Injectable()
export class Hardware {
  private readonly log = new Logger(Hardware.name);
  /** Devices with a recent report. */
  private readonly told = new LRUCache<string, true>({ max: TOLD_DEVICES, ttl: TOLD_EVERY_MS });

  constructor(private readonly bus: EventBus) {}

  /**
   * @throws Fault `already_exists` for a machine that awaits a decision, `failed_precondition` for one that may enrol as a separate
   *   device
   */
  async require(machine: Machine, credential: Credential): Promise<void> {
    if (!isOtherHardware(machine.serial, credential)) return;
    const { name, separateSerials, serial } = credential;
    if (separateSerials.includes(machine.serial)) {
      machinesRefused.inc({ decision: 'separate' });
      throw new Fault(
        'failed_precondition',
        `This machine is no longer ${clipped(name)}: its agent enrols it as a separate device.`,
      );
    }
    machinesRefused.inc({ decision: 'none' });
    await this.report(machine, credential);
    throw new Fault(
      'already_exists',
      `This machine has the key of ${clipped(name)} and another serial (${clipped(machine.serial)}, expected ${clipped(serial)}): ` +
        'decide on its device page in the console whether it replaces the hardware; the agent waits and asks again.',
    );
  }

  private async report({ serial, model, publicIp }: Machine, { deviceId, accountId }: Credential): Promise<void> {
    if (this.told.has(deviceId)) return;
    this.told.set(deviceId, true);
    this.log.warn({ device: deviceId, account: accountId, from: publicIp }, 'A machine with another serial dialled.');
    const value = { deviceId, publicIp, serial, model };
    // The next dial reports it again.
    await this.bus.publish(newEvent({ accountId, kind: { case: 'deviceCloned', value } })).catch(() => {});
  }
}
