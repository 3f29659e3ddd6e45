import { Injectable } from '@nestjs/common';
import { passOn } from '@warren/transport/header.lines';
import { relay } from '@warren/transport/relay';
import { ReplicaConnections } from '@warren/transport/replica.connections';
import type { Upgrade } from '@warren/transport/upgrade';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Links } from '../links/links.ts';
import { OtherReplicas, PASSED, replicaDown } from '../links/other.replicas.ts';
import { WebServices } from './web.services.ts';

const ANSWER_MS = 75_000;
const MAX_IDLE = 64;
/** Shorter than a replica keeps an idle connection. */
const IDLE_MS = 4_000;

interface Elsewhere {
  deviceId: string;
  address: string;
}

/** Requests for a device that another replica holds go there, as they came. */
@Injectable()
export class WebPassing {
  private readonly connections = new ReplicaConnections({ open: Infinity, idle: MAX_IDLE, idleMs: IDLE_MS });

  constructor(
    private readonly pages: WebServices,
    private readonly links: Links,
    private readonly others: OtherReplicas,
  ) {}

  /**
   * @returns undefined at once when the request belongs here; else whether it was passed on
   * @throws Fault `unavailable` when the other replica does not answer
   */
  request(request: IncomingMessage, response: ServerResponse, slug: string): Promise<boolean> | undefined {
    const page = this.pages.peek(slug);
    if ((page && this.links.get(page.deviceId)) || request.headers[PASSED] !== undefined) return undefined;
    return this.passRequest(request, response, slug);
  }

  /** @returns whether the upgrade was passed on. @throws Fault `unavailable` when the other replica does not answer */
  async upgrade(upgrade: Upgrade, slug: string): Promise<boolean> {
    const { request } = upgrade;
    if (request.headers[PASSED] !== undefined) return false;
    const to = await this.elsewhere(slug);
    if (to === undefined) return false;
    const answer = await this.others.ask(upgrade, to.address, this.others.lines(request)).catch((error: unknown) => {
      this.others.forget(to.deviceId);
      throw error;
    });
    await this.others.pass('web', upgrade, answer);
    return true;
  }

  private async passRequest(request: IncomingMessage, response: ServerResponse, slug: string): Promise<boolean> {
    const to = await this.elsewhere(slug);
    if (to === undefined) return false;
    await relay(request, response, {
      connections: this.connections.of(to.address),
      path: request.url ?? '/',
      lines: this.others.lines(request),
      answerMs: ANSWER_MS,
      answerLines: (lines) => passOn(lines),
    }).catch(() => {
      this.others.forget(to.deviceId);
      return replicaDown();
    });
    return true;
  }

  /** Where the device of an address is held, if not here. */
  private async elsewhere(slug: string): Promise<Elsewhere | undefined> {
    const page = await this.pages.find(slug);
    if (!page || this.links.get(page.deviceId)) return undefined;
    // While the directory is away this replica says itself what it knows.
    const address = await this.others.holding(page.deviceId).catch(() => undefined);
    return address === undefined ? undefined : { deviceId: page.deviceId, address };
  }
}
