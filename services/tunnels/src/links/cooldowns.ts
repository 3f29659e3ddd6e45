import { Injectable, Logger } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { cooldownKey } from '@warren/platform/broker/keys';
import { linksBreached } from '../telemetry/metrics.ts';
import type { AgentLink } from './link.ts';
import { BREACHES, type Breach } from './link.guard.ts';

const FIRST_S = 30;
const LONGEST_S = 15 * 60;
/** After this long without a breach, a device starts from the first pause again. */
const FORGET_S = 24 * 3_600;

type Breacher = Pick<AgentLink, 'deviceId' | 'accountId' | 'publicIp' | 'agentVersion'>;

/** Refuses devices whose link was ended for a breach, for longer each time. */
@Injectable()
export class Cooldowns {
  private readonly log = new Logger(Cooldowns.name);

  constructor(private readonly redis: RedisLink) {}

  /** Records the breach that ended a link, for all replicas. Never rejects. */
  async begin(link: Breacher, breach: Breach): Promise<void> {
    linksBreached.inc({ breach });
    const { deviceId, accountId, publicIp, agentVersion } = link;
    const fields = { device: deviceId, account: accountId, from: publicIp, version: agentVersion, breach };
    this.log.warn(fields, 'A link was closed because the device sent too much.');
    try {
      await this.redis.client.warrenCooldown(
        ...[cooldownKey(deviceId), `${cooldownKey(deviceId)}:count`],
        ...([breach, FIRST_S, LONGEST_S, FORGET_S] as const),
      );
    } catch (error) {
      this.log.warn({ device: deviceId, err: error }, 'A pause of a device could not be stored.');
    }
  }
}

/** The sentence for the device's log and its person. */
export function cooldownMessage(breach: string): string {
  const what = Object.hasOwn(BREACHES, breach) ? BREACHES[breach as Breach] : 'too much';
  return `The hub closed the link of this device because it sent ${what}.`;
}
