import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { invalidInput } from '@warren/platform/errors/fault';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { listScope } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import type { Request, Response } from 'express';
import { Describe } from '../../http/api.decorators.ts';
import { CurrentCaller } from '../caller.decorator.ts';
import { SignInProviders, type SignInProvider } from '../entry/sign-in.providers.ts';
import { SignInStart } from '../entry/sign-in.start.ts';
import {
  failureJson,
  failuresQuery,
  failuresSchema,
  trialBody,
  trialSchema,
  type FailuresQuery,
  type TrialBody,
} from './sign-in.doctor.schemas.ts';

const WHO =
  'SuperAdmins and the admins of the operator for everybody; owners and admins for the people and invitations of their account.';

/** Finds out why people can't sign in. */
@ApiTags('session')
@Controller('api')
export class SignInDoctorController {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly providers: SignInProviders,
    private readonly start: SignInStart,
    private readonly outbox: RedisOutbox,
  ) {}

  @Get('sign_in_failures')
  @Describe({
    summary: 'Lists the last refused sign-ins, newest first, with the failed check.',
    description: `${WHO} The last 50 of each provider and kind are kept, for 30 days.`,
    answer: failuresSchema,
    errors: [404],
  })
  async listSignInFailures(
    @CurrentCaller() caller: Caller,
    @Query({ schema: failuresQuery }) { account = '', provider = '', before = '', limit }: FailuresQuery,
  ) {
    const request = { accountId: account, provider, before, limit };
    const { signIns, next } = await this.identity.listRefusedSignIns(caller, request);
    return {
      failures: signIns.map((one) => failureJson(one, this.named(one.provider))),
      next: next || null,
      providers: this.offered(caller).map((one) => ({
        id: one.config.id,
        name: one.config.name,
        protocol: one.protocol,
        usable: Boolean(one.provider.usable),
      })),
    };
  }

  @Post('sign_in_trials')
  @HttpCode(200)
  @Describe({
    summary: 'Starts a trial of a sign-in, which shows what Warren understands of it and opens no session.',
    description: `${WHO} The browser continues at \`url\`; the result is a page.`,
    answer: trialSchema,
  })
  async trySignIn(
    @CurrentCaller() caller: Caller,
    @Body({ schema: trialBody }) { provider: id }: TrialBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const provider = this.offered(caller).find(({ config }) => config.id === id);
    if (!provider) {
      const message = 'expected the id of an identity provider of this hub, as listSignInFailures names them.';
      throw invalidInput({ field: 'provider', message, value: JSON.stringify(id) });
    }
    const url = await this.start.begin(provider, request, response, { path: '/', trial: true });
    const { accountId } = requireUser(caller);
    const what = { action: 'session.try_sign_in', accountId, details: { provider: id } } as const;
    await this.outbox.record([auditEvent(caller, what)]);
    return { url };
  }

  private named(id: string) {
    const found = this.providers.byId(id);
    return found && { name: found.config.name, protocol: found.protocol };
  }

  /** Unlisted providers are for those who administer all accounts. */
  private offered(caller: Caller): readonly SignInProvider[] {
    const { accountId } = listScope(caller, 'sign-ins.diagnose', '');
    return accountId === undefined ? this.providers.all : this.providers.listed;
  }
}
