import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Describe } from '../http/api.decorators.ts';
import { AUTH_CONFIG, type AuthConfig } from './config/auth.config.ts';
import { CurrentSession } from './caller.decorator.ts';
import { sessionSchema, sessionUser, type SessionUser } from './session.user.ts';
import type { SignedIn } from '../http/signed-in.request.ts';

@ApiTags('session')
@Controller('auth/saml')
export class SessionController {
  constructor(@Inject(AUTH_CONFIG) private readonly config: AuthConfig) {}

  @Get('getsession')
  @Describe({ summary: 'Tells who is signed in, also without an account.', answer: sessionSchema })
  getSession(@CurrentSession() signedIn: SignedIn): SessionUser {
    return sessionUser(signedIn, this.config);
  }
}
