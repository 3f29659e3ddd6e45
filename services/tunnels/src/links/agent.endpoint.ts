import { Inject, Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Claims } from '../broker/claims.ts';
import { Lease } from '../broker/lease.ts';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { ClientAddress } from '../client.address.ts';
import type { Upgrade } from '@warren/transport/upgrade';
import { dialSeconds, dialsTotal, linksMax } from '../telemetry/metrics.ts';
import { AccountShares } from './account.shares.ts';
import { AgentTokens, ForeignSignature, type Verified } from './agent.token.ts';
import { accept } from './carrier.ts';
import { Clones } from './clones.ts';
import { cooldownMessage, Cooldowns } from './cooldowns.ts';
import { Credentials, type Credential } from './credentials.ts';
import { AgentDialQueue } from './agent.dial.queue.ts';
import { parseDial, type Dial } from './dial.ts';
import { FactsReporter } from './facts.ts';
import { MetricsReporter } from './metrics.reporter.ts';
import { reverseHttp2 } from './h2.ts';
import { Hardware } from './hardware.ts';
import { AgentLink } from './link.ts';
import { Links } from './links.ts';
import { Rush } from './rush.ts';
import { SharedKeys } from './shared.keys.ts';

/** Longest time in the queue, by how fast it moves. An agent gives up after 15 s. */
const MAX_QUEUE_MS = 4_000;
/** Agents that may be slow to start HTTP/2, per agent that is checked at a time. */
const ESTABLISHING_FOR_EACH = 8;
const BUSY_RETRY_S = 2;

/** A device that may connect. */
interface Admitted {
  credential: Credential;
  /** The agent's instance id. */
  instance: string;
  /** The hardware's serial; empty if the agent reports none. */
  serial: string;
}

/** Serves `GET /agent/connect`: cheap checks first, and no more agents at a time than this process can check. */
@Injectable()
export class AgentEndpoint {
  private readonly log = new Logger(AgentEndpoint.name);
  private readonly queue: AgentDialQueue;
  private readonly maxEstablishing: number;
  private establishing = 0;
  private readonly upgraded = new WeakSet<Duplex>();

  constructor(
    private readonly lease: Lease,
    private readonly links: Links,
    private readonly credentials: Credentials,
    private readonly tokens: AgentTokens,
    private readonly claims: Claims,
    private readonly clones: Clones,
    private readonly hardware: Hardware,
    private readonly sharedKeys: SharedKeys,
    private readonly facts: FactsReporter,
    private readonly metrics: MetricsReporter,
    private readonly rush: Rush,
    private readonly shares: AccountShares,
    private readonly cooldowns: Cooldowns,
    private readonly address: ClientAddress,
    @Inject(TUNNELS_CONFIG) private readonly config: TunnelsConfig,
  ) {
    linksMax.set(config.MAX_LINKS);
    this.queue = new AgentDialQueue({ atOnce: config.MAX_HANDSHAKES, longestMs: MAX_QUEUE_MS });
    this.maxEstablishing = config.MAX_HANDSHAKES * ESTABLISHING_FOR_EACH;
  }

  /** Handles an upgrade request. Never rejects. */
  async dial(upgrade: Upgrade): Promise<void> {
    const stop = dialSeconds.startTimer();
    this.rush.dialled();
    let dial: Dial | undefined;
    try {
      dial = parseDial(upgrade.request);
      const { deviceId, carrier } = dial;
      this.requireRoom();
      const known = dial;
      const admitted = await this.queue.run(() => this.admit(known, upgrade));
      // Outside the queue: a slow agent must not block the others.
      const link = await this.establish(known, admitted, upgrade);
      stop();
      dialsTotal.inc({ status: 101, carrier });
      this.log.log({ device: deviceId, connection: link.id, carrier, from: link.publicIp }, 'An agent is connected.');
      this.facts.follow(link);
      this.metrics.follow(link);
    } catch (error) {
      this.answer(upgrade, dial, error);
    }
  }

  private requireRoom(): void {
    if (!this.lease.serving) throw busy('This replica takes no devices now.');
    if (this.links.count + this.establishing + this.queue.length >= this.config.MAX_LINKS)
      throw busy('This replica holds as many devices as it may.');
    if (this.establishing >= this.maxEstablishing) throw busy('Too many devices dial at once.');
  }

  private async admit(dial: Dial, upgrade: Upgrade): Promise<Admitted> {
    // The device may have hung up while it waited.
    if (upgrade.socket.destroyed) throw new Fault('unavailable', 'The device hung up.');
    const { credential, instance, serial, model, proof } = await this.identify(dial);
    const { deviceId } = credential;
    const holder = await this.claims.arrive(deviceId, proof);
    if (holder === 'used') throw new Fault('unauthenticated', 'The token was used before.');
    if (holder && 'cooldown' in holder) {
      throw new Fault('resource_exhausted', cooldownMessage(holder.cooldown), { retryAfter: holder.seconds });
    }
    const publicIp = this.address.of(upgrade.request);
    await this.hardware.require({ serial, model, publicIp }, credential);
    await this.clones.refuse({ instance, deviceId, publicIp }, credential, holder);
    if (!this.lease.serving) throw busy('This replica takes no devices now.');
    return { instance, serial, credential };
  }

  /** Reads the device again if its key may be newer than the cached one. */
  private async identify(dial: Dial): Promise<Admitted & Verified> {
    try {
      return await this.verify(dial, await this.credentials.get(dial.deviceId));
    } catch (error) {
      if (!(error instanceof ForeignSignature)) throw error;
      return this.verify(dial, await this.credentials.refresh(dial.deviceId));
    }
  }

  private async verify({ deviceId, token }: Dial, credential: Credential): Promise<Admitted & Verified> {
    return { ...(await this.tokens.verify(token, deviceId, credential)), credential };
  }

  private async establish(dial: Dial, admitted: Admitted, upgrade: Upgrade): Promise<AgentLink> {
    this.establishing++;
    try {
      return await this.link(dial, admitted, upgrade);
    } finally {
      this.establishing--;
    }
  }

  private async link({ carrier, agentVersion, hasPins, deviceId: said }: Dial, admitted: Admitted, upgrade: Upgrade) {
    const { instance, serial, credential } = admitted;
    const { deviceId, accountId, sshEnabled, key } = credential;
    const publicIp = this.address.of(upgrade.request);
    // The device replaces an old entry: send it its new id.
    const stream = await accept(carrier, upgrade, deviceId === said ? [] : [`Warren-Device: ${deviceId}`]);
    this.upgraded.add(upgrade.socket);
    const session = await reverseHttp2(stream);
    const link = new AgentLink(
      {
        id: randomUUID(),
        deviceId,
        accountId,
        publicIp,
        agentVersion,
        hasPins,
        instance,
        key,
        serial,
        serialKnown: credential.serial !== '',
      },
      session,
      this.shares,
    );
    link.end.listen(() => link.breach && void this.cooldowns.begin(link, link.breach));
    try {
      await this.links.add(link);
      // It may have kept terminals while it was disconnected.
      if (!sshEnabled)
        void link.agent.endTerminals({ why: 'the console is off' }, { signal: link.gone }).catch(() => {});
      void this.sharedKeys.replace(link, credential);
      return link;
    } catch (error) {
      link.destroy();
      throw error;
    }
  }

  private answer({ socket, request }: Upgrade, dial: Dial | undefined, error: unknown): void {
    const fault = error instanceof Fault ? error : new Fault('internal', 'Something went wrong on our side.');
    const refusal = refusalOf(fault);
    const carrier = dial?.carrier ?? 'none';
    dialsTotal.inc({ status: refusal.status, carrier });
    const entry = { device: dial?.deviceId, from: this.address.of(request), code: fault.code };
    if (fault.code === 'internal') this.log.error({ ...entry, err: error }, 'A dial failed.');
    else this.log.log({ ...entry, reason: refusal.message }, 'A dial was refused.');
    // After the 101, no HTTP response is possible.
    if (socket.destroyed || socket.writableEnded) return;
    if (this.upgraded.has(socket)) socket.destroy();
    else refuse(socket, refusal);
  }
}

function busy(message: string): Fault {
  return new Fault('unavailable', message, { retryAfter: BUSY_RETRY_S });
}
