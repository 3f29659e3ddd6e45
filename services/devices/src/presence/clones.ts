import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { validate as isUuid } from 'uuid';
import { devicesChanged } from '../events/device.event.ts';
import { WaitingMachines } from '../machines/waiting.machines.ts';
import { clearClones, flagClone } from './presence.sql.ts';

const LOOK_EVERY_MS = 30_000;
/** A refused machine dials at least every 5 minutes; after three such times without it, there is one machine again. */
const FORGET_AFTER = '15 minutes';

/** Flags devices whose key two machines use, while the second one keeps dialling. */
@Injectable()
export class ClonedDevices implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ClonedDevices.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly consumer: EventConsumer,
    private readonly machines: WaitingMachines,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  onModuleInit(): void {
    // A machine with a serial can be decided about.
    this.consumer.on('deviceCloned', (_event, data) => (data.serial ? this.machines.seen(data) : this.seen(data)));
  }

  onApplicationBootstrap(): void {
    const look = () =>
      void this.forget().catch((error: unknown) => this.log.warn({ err: error }, 'Copied devices stay flagged.'));
    this.timer = setInterval(look, LOOK_EVERY_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A second machine dialled. Emits an event for lists if that is new. */
  async seen({ deviceId }: Pick<EventData<'deviceCloned'>, 'deviceId'>): Promise<void> {
    if (!isUuid(deviceId)) return;
    await this.outbox.transaction(async (manager, emit) => {
      for (const event of devicesChanged(await flagClone(manager, deviceId))) emit(event);
    });
  }

  /** Clears the flag of devices whose second machine has not dialled for a while. */
  async forget(after = FORGET_AFTER): Promise<void> {
    await this.outbox.transaction(async (manager, emit) => {
      for (const event of devicesChanged(await clearClones(manager, after))) emit(event);
    });
  }
}
