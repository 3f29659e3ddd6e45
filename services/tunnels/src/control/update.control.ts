import { Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { UpdateState, type OfferUpdateRequest as Offer } from '@warren/proto/agent/v1/agent';
import { Credentials } from '../links/credentials.ts';
import { Links } from '../links/links.ts';
import { deviceWords } from '../sockets/words.ts';
import { refusalOf } from './refusal.ts';

const ANSWER_MS = 5_000;
/** More than an agent allows; its answer is untrusted. */
const TERMINALS_MAX = 64;
const CRASHES_MAX = 10_000;
/** Bytes: a terabyte. */
const DOWNLOADED_MAX = 2n ** 40n;

/** Offers versions of the agent to devices that are linked here. */
@Injectable()
export class UpdateControl {
  constructor(
    private readonly links: Links,
    private readonly credentials: Credentials,
  ) {}

  /**
   * Devices only.
   * @throws Fault `permission_denied`, `not_found`; `unavailable` when it is not connected here, or does not answer;
   *   `failed_precondition` when its agent can't
   */
  async offer(caller: Caller, { deviceId, offer }: { deviceId: string; offer?: Offer }) {
    requireService(caller, 'devices');
    const { name } = await this.credentials.get(deviceId);
    const link = this.links.get(deviceId);
    if (!link?.alive) throw new Fault('unavailable', `${name} is not connected.`);
    if (!offer) throw invalidInput({ field: 'update', message: 'expected an offer.' });
    const { version, back } = offer;
    const asked = link.agent.offerUpdate(
      { offer: offer.offer, version, back },
      { timeoutMs: ANSWER_MS, signal: link.gone },
    );
    const { state, why, terminals, crashes, downloaded } = await asked.catch((error: unknown) => {
      throw refusalOf(error, 'Update', name);
    });
    return {
      answer: {
        state: state in UpdateState ? state : UpdateState.UNSPECIFIED,
        why: deviceWords(why),
        terminals: Math.min(terminals, TERMINALS_MAX),
        crashes: Math.min(crashes, CRASHES_MAX),
        downloaded: downloaded < DOWNLOADED_MAX ? downloaded : DOWNLOADED_MAX,
      },
    };
  }
}
