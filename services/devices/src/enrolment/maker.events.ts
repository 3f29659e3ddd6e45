import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { TokensService } from './tokens.service.ts';

/** Follows tenancy: a user's enrolment tokens must not outlive the user's access. */
@Injectable()
export class MakerEvents implements OnModuleInit {
  constructor(
    private readonly consumer: EventConsumer,
    private readonly tokens: TokensService,
  ) {}

  onModuleInit(): void {
    this.consumer.on('userChanged', async (_event, { userId, active }) => {
      if (!active) await this.tokens.revokeOf(userId);
    });
    this.consumer.on('userDeleted', (_event, { userId }) => this.tokens.revokeOf(userId));
  }
}
