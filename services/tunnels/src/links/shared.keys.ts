import { Injectable, Logger } from '@nestjs/common';
import type { Credential } from './credentials.ts';
import type { AgentLink } from './link.ts';

const ANSWER_MS = 10_000;

/** Makes devices rotate a key that another machine has or had. */
@Injectable()
export class SharedKeys {
  private readonly log = new Logger(SharedKeys.name);
  private readonly asked = new WeakSet<AgentLink>();

  /** Asks the agent of a new or changed device. Never rejects; a device that fails is asked again on its next link. */
  async replace(link: AgentLink, { keyShared, name }: Pick<Credential, 'keyShared' | 'name'>): Promise<void> {
    if (!keyShared || this.asked.has(link)) return;
    this.asked.add(link);
    this.log.log({ device: link.deviceId }, 'A device is to change a key that another machine had.');
    try {
      await link.agent.rotateKey({ userEmail: '' }, { timeoutMs: ANSWER_MS, signal: link.gone });
    } catch (error) {
      this.log.warn(
        { device: link.deviceId, name, err: error },
        'A device did not change a key that another machine had.',
      );
    }
  }
}
