import { Code, ConnectError } from '@connectrpc/connect';
import { Injectable, Logger } from '@nestjs/common';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';

const ANSWER_MS = 5_000;
const AT_ONCE = 64;

/** Selects terminals: one or all of a user, or those of all users but some. */
export type Whose = { userId: string; session?: string } | { except?: readonly string[] };

/**
 * Agents own terminals, which outlive every connection here. When the right to them is withdrawn, detached terminals must end
 * as well; a disconnected device ends its own after a while without attachments, but for pinned ones (`KeptPins`).
 */
@Injectable()
export class KeptTerminals {
  private readonly log = new Logger(KeptTerminals.name);

  constructor(private readonly links: Links) {}

  /** Ends terminals on one device if it is linked here. Never rejects. */
  async end(deviceId: string, whose: Whose, why: string): Promise<void> {
    const link = this.links.get(deviceId);
    if (link) await this.endAt(link, whose, why);
  }

  /** Ends terminals on all devices that are linked here and match. Never rejects. */
  async endAll(of: (link: AgentLink) => boolean, whose: Whose, why: string): Promise<void> {
    const links = this.links.all().filter(of);
    for (let start = 0; start < links.length; start += AT_ONCE) {
      await Promise.all(links.slice(start, start + AT_ONCE).map((link) => this.endAt(link, whose, why)));
    }
  }

  private async endAt(link: AgentLink, whose: Whose, why: string): Promise<void> {
    const request = 'userId' in whose ? { ...whose, why } : { exceptUserIds: [...(whose.except ?? [])], why };
    try {
      await link.agent.endTerminals(request, { timeoutMs: ANSWER_MS, signal: link.gone });
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      if (!link.alive || code === Code.Unimplemented) return;
      this.log.warn({ device: link.deviceId, reason: rawMessage }, 'Terminals could not be ended on a device.');
    }
  }
}
