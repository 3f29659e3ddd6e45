import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { RotateKeyRequest } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { deviceAsActor } from '../events/device.audit.ts';
import { deviceChanged } from '../events/device.event.ts';
import { calledName } from '../history/history.ts';
import { clearKeyShared, lockResolved, readKey, updateKey } from './enrolment.sql.ts';
import { provesKey, rotationText } from './proof.ts';

/** Rotates devices' keys. */
@Injectable()
export class RotationService {
  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  /**
   * Gateway only: replaces the old key with the new one atomically. Idempotent, so that a device that missed the answer may retry.
   * @throws Fault `unauthenticated` for a wrong proof, or if the device's key is neither of the two; `not_found`; `already_exists` if
   *   the new key is another device's
   */
  async rotate(caller: Caller, request: Omit<RotateKeyRequest, '$typeName'>): Promise<Record<string, never>> {
    requireService(caller, 'gateway');
    const { deviceId, oldKey, newKey, oldProof, newProof } = request;
    const text = rotationText(deviceId, oldKey, newKey);
    if (!provesKey(oldKey, oldProof, text) || !provesKey(newKey, newProof, text))
      throw new Fault('unauthenticated', 'expected Ed25519 signatures of the change by both keys.');
    return this.outbox.transaction(async (manager, emit) => {
      const known = await holdKey(manager, deviceId);
      if (known.key.equals(newKey)) return {};
      if (!known.key.equals(oldKey)) throw new Fault('unauthenticated', 'the device has another key now.');
      await updateKey(manager, known.deviceId, newKey).catch((cause: unknown) => {
        throw keyTaken(cause);
      });
      await clearKeyShared(manager, known.deviceId);
      // With an actor, so that replicas fetch the key at once and close links made with the old one.
      emit(deviceChanged(known.deviceId, known.accountId, { actor: known.deviceId }));
      const device = { id: known.deviceId, name: known.name, accountId: known.accountId };
      emit(auditEvent(caller, { action: 'device.replace_key', ...deviceAsActor(device) }));
      return {};
    });
  }
}

/** A device with its locked row, and its key. */
export interface HeldKey {
  deviceId: string;
  accountId: string;
  /** As people see it. */
  name: string;
  key: Buffer;
}

/**
 * Locks the device that an id resolves to, and reads its key.
 * @throws Fault `not_found`
 */
export async function holdKey(manager: EntityManager, deviceId: string): Promise<HeldKey> {
  // Locked before the key is read: it may have changed until then.
  const id = isUuid(deviceId) ? await lockResolved(manager, deviceId) : undefined;
  const row = id === undefined ? undefined : await readKey(manager, id);
  if (!row) throw new Fault('not_found', `device ${deviceId}.`);
  return { deviceId: row.id, accountId: row.account_id, name: calledName(row), key: row.public_key };
}

/** Converts the error of writing a key: a Fault if another device has it. */
export function keyTaken(cause: unknown): unknown {
  if (constraintOf(cause) !== 'device_keys_public_key') return cause;
  return new Fault('already_exists', 'a device with this public key is enrolled already.', { cause });
}
