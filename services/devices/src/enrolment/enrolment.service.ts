import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { EnrolRequest } from '@warren/proto/devices/v1/devices';
import { labels as labelsSchema } from '@warren/rules/labels';
import { deviceAsActor } from '../events/device.audit.ts';
import { deviceChanged } from '../events/device.event.ts';
import { addressText, check, checkFacts, serialText } from '../facts/facts.ts';
import { writeLabels } from '../labels/labels.sql.ts';
import { DevicesQuota } from '../quotas/devices.quota.ts';
import { admitDevice } from './admission.ts';
import { enrolmentText, provesKey } from './proof.ts';
import { TokensService } from './tokens.service.ts';

/** Enrols devices. */
@Injectable()
export class EnrolmentService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly tokens: TokensService,
    private readonly quota: DevicesQuota,
  ) {}

  /**
   * Gateway only: exchanges one use of a token and a public key for a device.
   * @throws Fault `unauthenticated` for an invalid token or proof, `already_exists` for a device's key, `invalid_argument` naming
   *   each bad field, `quota_reached` for a full account; the token then keeps its use
   */
  async enrol(
    caller: Caller,
    request: Omit<EnrolRequest, '$typeName' | 'labels'> & Partial<Pick<EnrolRequest, 'labels'>>,
  ): Promise<{ deviceId: string; accountName: string }> {
    requireService(caller, 'gateway');
    const { accountId, token, publicKey } = request;
    const serial = check('serial', serialText, request.serial);
    const facts = checkFacts(request.facts);
    const publicIp = check('public_ip', addressText, request.publicIp);
    const asked = check('labels', labelsSchema, request.labels ?? {});
    if (!provesKey(publicKey, request.proof, enrolmentText(token)))
      throw new Fault('unauthenticated', 'expected an Ed25519 signature of the token by the public key.');
    return this.outbox.transaction(async (manager, emit) => {
      const { account, labels, tokenId } = await this.tokens.spend(manager, accountId, token);
      await this.quota.requireRoom(manager, account, serial);
      const accountName = account.name;
      const deviceId = await admitDevice(manager, { accountId, accountName, serial, facts, publicIp, publicKey });
      // What a device asks for is a person's word on the device; the token is the word of who may label.
      const all = check('labels', labelsSchema, { ...asked, ...labels });
      await writeLabels(manager, [deviceId], { set: all, remove: [] });
      emit(deviceChanged(deviceId, accountId));
      const device = deviceAsActor({ id: deviceId, name: facts.hostname, accountId });
      const details = { serial, enrolment_token: tokenId, labels: all };
      emit(auditEvent(caller, { action: 'device.enrol', ...device, details }));
      return { deviceId, accountName };
    });
  }
}
