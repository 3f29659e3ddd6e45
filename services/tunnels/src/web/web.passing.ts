import { Injectable } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { passOn } from '@warren/platform/relay/header.lines';
import { relay } from '@warren/platform/relay/relay';
import { ReplicaConnections } from '@warren/platform/relay/replica.connections';
import { askUpgrade, passAnswer, splice, type Upgrade } from '@warren/platform/relay/upgrade';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Lease } from '../broker/lease.ts';
import { ClientAddress } from '../edge/client.address.ts';
import { Links } from '../links/links.ts';
import { WebPages } from './web.pages.ts';

/** Says that another replica has passed a request on; it is not passed on again. */
const PASSED = 'warren-passed';
const ANSWER_MS = 75_000;
const MAX_IDLE = 64;
/** Shorter than a replica keeps an idle connection. */
const IDLE_MS = 4_000;

/** Requests for a device that another replica holds go there, as they came. */
@Injectable()
export class WebPassing {
  private readonly connections = new ReplicaConnections({ open: Infinity, idle: MAX_IDLE, idleMs: IDLE_MS });

  constructor(
    private readonly pages: WebPages,
    private readonly links: Links,
    private readonly lease: Lease,
    private readonly directory: ReplicaDirectory,
    private readonly address: ClientAddress,
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
    const { request, socket } = upgrade;
    if (request.headers[PASSED] !== undefined) return false;
    const address = await this.elsewhere(slug);
    if (address === undefined) return false;
    const lines = [...this.lines(request), 'Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? ''];
    const target = { address, name: "The device's replica", path: request.url, lines };
    const answer = await askUpgrade(target, upgrade).catch(replicaDown);
    if (answer.upstream) await splice(upgrade, answer);
    else await passAnswer(answer.message, socket);
    return true;
  }

  private async passRequest(request: IncomingMessage, response: ServerResponse, slug: string): Promise<boolean> {
    const address = await this.elsewhere(slug);
    if (address === undefined) return false;
    await relay(request, response, {
      ...{ connections: this.connections.of(address), path: request.url ?? '/' },
      lines: this.lines(request),
      answerMs: ANSWER_MS,
      answerLines: (lines) => passOn(lines),
    }).catch(replicaDown);
    return true;
  }

  private lines(request: IncomingMessage): string[] {
    const kept = passOn(request.rawHeaders, (name, value) => (name === 'x-forwarded-for' ? undefined : value));
    return [...kept, 'X-Forwarded-For', this.address.of(request), 'Warren-Passed', '1'];
  }

  /** Where the device of an address is held, if not here. */
  private async elsewhere(slug: string): Promise<string | undefined> {
    const page = await this.pages.find(slug);
    if (!page || this.links.get(page.deviceId)) return undefined;
    const location = await this.directory.locate(page.deviceId).catch(() => undefined);
    return location && location.replica !== this.lease.replica ? location.address : undefined;
  }
}

/** The device has no part in it, so nothing of what the connection said goes on: that would be taken for the device's. */
function replicaDown(): never {
  throw new Fault('unavailable', "The device's replica does not answer.");
}
