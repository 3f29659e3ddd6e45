import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { SignInService } from '../sign-in/sign-in.service.ts';

/** Ends the sessions of people who may not go on: a session must not outlive its user. */
@Injectable()
export class MemberEvents implements OnModuleInit {
  constructor(
    private readonly events: EventConsumer,
    private readonly signIns: SignInService,
  ) {}

  onModuleInit(): void {
    this.events.on('userChanged', async (_event, { email, active }) => {
      if (!active) await this.signIns.endByEmail(email, 'user disabled');
    });
    this.events.on('userDeleted', async (_event, { email }) => {
      await this.signIns.endByEmail(email, 'user deleted');
    });
  }
}
