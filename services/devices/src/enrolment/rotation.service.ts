import { Inject, Injectable } from '@nestjs/common';
import { constraintOf } from '@warren/platform/database/database.fault';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { RotateKeyRequest } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { deviceChanged } from '../events/device.event.ts';
import { provesKey, rotationText } from './proof.ts';

/** How a device changes its key. */
@Injectable()
export class RotationService {
  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  /**
   * Gateway only: puts the new key in the place of the old one, in one step. Asked for again it changes nothing, so that a device that
   * did not hear the answer may ask once more.
   * @throws Fault `unauthenticated` for a wrong proof, or when the device's key is neither of the two; `not_found`; `already_exists` when
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
      await manager
        .query('UPDATE device_keys SET public_key = $2, created = now() WHERE device_id = $1', [
          known.deviceId,
          Buffer.from(newKey),
        ])
        .catch((cause: unknown) => {
          throw keyTaken(cause);
        });
      await manager.query('UPDATE devices SET key_shared = false WHERE id = $1 AND key_shared', [known.deviceId]);
      // With an actor, so that replicas fetch the key at once and close links made with the old one.
      emit(deviceChanged(known.deviceId, known.accountId, { actor: known.deviceId }));
      return {};
    });
  }
}

/** A device whose row is locked, and its key. */
export interface HeldKey {
  deviceId: string;
  accountId: string;
  key: Buffer;
}

/**
 * Locks the device that an id leads to now, and reads its key.
 * @throws Fault `not_found`
 */
export async function holdKey(manager: EntityManager, deviceId: string): Promise<HeldKey> {
  const [row] = isUuid(deviceId)
    ? await manager.query<{ id: string; account_id: string; public_key: Buffer }[]>(
        'SELECT d.id, d.account_id, k.public_key FROM devices d JOIN device_keys k ON k.device_id = d.id WHERE d.id = $1',
        [await lockDevice(manager, deviceId)],
      )
    : [];
  if (!row) throw new Fault('not_found', `device ${deviceId}.`);
  return { deviceId: row.id, accountId: row.account_id, key: row.public_key };
}

/** Locks the device that an id leads to now; its key is read after that. @returns its own id */
async function lockDevice(manager: EntityManager, id: string): Promise<string | undefined> {
  const [row] = await manager.query<{ id: string }[]>(
    `SELECT id FROM devices
     WHERE id = COALESCE((SELECT a.device_id FROM device_aliases a WHERE a.alias = $1), $1) FOR UPDATE`,
    [id],
  );
  return row?.id;
}

/** What writing a key fails with: a Fault when another device has it. */
export function keyTaken(cause: unknown): unknown {
  if (constraintOf(cause) !== 'device_keys_public_key') return cause;
  return new Fault('already_exists', 'a device with this public key is enrolled already.', { cause });
}
