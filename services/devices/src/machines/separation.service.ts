import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { SeparateMachineRequest } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { deviceAsActor } from '../events/device.audit.ts';
import { deviceChanged } from '../events/device.event.ts';
import { admitDevice } from '../enrolment/admission.ts';
import { provesKey, separationText } from '../enrolment/proof.ts';
import { holdKey, type HeldKey } from '../enrolment/rotation.service.ts';
import { DevicesQuota } from '../quotas/devices.quota.ts';
import type { HeldAccount } from '../quotas/quotas.sql.ts';
import { addressText, check, checkFacts, serialText } from '../facts/facts.ts';
import { MachineEntity } from './machine.entity.ts';
import { readDecision, type DecisionRow } from './machines.sql.ts';

type Enrolled = { deviceId: string; accountName: string };

/** Enrols a machine with the key of another device as a separate device. */
@Injectable()
export class SeparationService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly quota: DevicesQuota,
  ) {}

  /**
   * Gateway only: exchanges an administrator's decision and a new key for a device. Idempotent per key, so that a machine that
   * missed the answer may retry.
   * @throws Fault `unauthenticated` for a wrong proof; `failed_precondition` without a recent decision, or if it was used with
   *   another key; `quota_reached`; `not_found`; `already_exists` for another device's key; `invalid_argument` naming each bad field
   */
  async separate(caller: Caller, request: Omit<SeparateMachineRequest, '$typeName'>): Promise<Enrolled> {
    requireService(caller, 'gateway');
    const { deviceId, newKey: publicKey } = request;
    const serial = check('serial', serialText, request.serial);
    const facts = checkFacts(request.facts);
    const publicIp = check('public_ip', addressText, request.publicIp);
    return this.outbox.transaction(async (manager, emit) => {
      const held = await holdKey(manager, deviceId);
      requireProofs(held, request);
      const account = requireActive(await this.quota.hold(manager, held.accountId));
      const accountName = account.name;
      const decision = await findDecision(manager, held.deviceId, serial);
      if (decision.separated_id) {
        if (decision.separated_key?.equals(publicKey)) return { deviceId: decision.separated_id, accountName };
        throw new Fault('failed_precondition', 'this machine has enrolled already, with another key.');
      }
      await this.quota.requireRoom(manager, account, serial);
      const { accountId } = held;
      const actor = decision.decided_by;
      const admitted = { accountId, accountName, serial, facts, publicIp, publicKey, actor };
      const separatedId = await admitDevice(manager, admitted);
      await manager.update(MachineEntity, { deviceId: held.deviceId, serial }, { separatedId });
      emit(deviceChanged(separatedId, accountId));
      emit(deviceChanged(held.deviceId, accountId));
      const separated = deviceAsActor({ id: separatedId, name: facts.hostname, accountId });
      const details = { serial, from: held.name, from_id: held.deviceId, decided_by: actor };
      emit(auditEvent(caller, { action: 'device.separate_machine', ...separated, details }));
      return { deviceId: separatedId, accountName };
    });
  }
}

function requireProofs({ key }: HeldKey, request: Omit<SeparateMachineRequest, '$typeName'>): void {
  const { deviceId, newKey, oldProof, newProof } = request;
  const text = separationText(deviceId, newKey);
  if (provesKey(key, oldProof, text) && provesKey(newKey, newProof, text)) return;
  throw new Fault('unauthenticated', 'expected Ed25519 signatures by the key of the device and by the new key.');
}

async function findDecision(manager: EntityManager, deviceId: string, serial: string): Promise<DecisionRow> {
  const row = await readDecision(manager, deviceId, serial);
  if (row) return row;
  throw new Fault('failed_precondition', `the machine with serial ${serial} is not approved as a separate device.`);
}

function requireActive(account: HeldAccount | undefined): HeldAccount {
  if (account?.active) return account;
  throw new Fault('failed_precondition', 'the account of this machine is disabled.');
}
