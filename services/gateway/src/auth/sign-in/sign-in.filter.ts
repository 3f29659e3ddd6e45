import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Fault, HTTP_STATUS } from '@warren/platform/errors/fault';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import type { Request, Response } from 'express';
import { sendPage, type Page } from '@warren/platform/http/page';
import { refusedTrialPage } from '../pages/trial.pages.ts';
import { failedPage, mismatchPage, refusedPage } from '../pages/sign-in.pages.ts';
import { gatewayCaller, requestId } from '../../http/signed-in.request.ts';
import { IdentityMismatch, SignInRefused } from '../refusal/sign-in.refused.ts';

const RETRY_AFTER_S = 2;

/** Returns the HTTP status of an error of sign-in or sign-out. */
function statusOf(error: unknown): number {
  if (error instanceof SignInRefused) return 403;
  if (error instanceof Fault) return error.code === 'already_exists' ? 403 : HTTP_STATUS[error.code];
  if (error instanceof HttpException) return error.getStatus();
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function pageOf(error: unknown, status: number, id: string | undefined): Page {
  if (error instanceof SignInRefused && error.trial) return refusedTrialPage(error, error.trial, id);
  if (error instanceof IdentityMismatch) return mismatchPage(id);
  return error instanceof SignInRefused ? refusedPage(error, id) : failedPage(status, id);
}

/** Answers a failed sign-in with a page. The reason goes to the log and, if refused, to the audit trail. */
@Catch()
export class SignInFilter implements ExceptionFilter {
  private readonly log = new Logger(SignInFilter.name);

  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const status = statusOf(error);
    const id = requestId(request);
    if (error instanceof SignInRefused) void this.report(error, request);
    else if (status >= 500) this.log.error({ err: error }, 'A sign-in failed.');
    if (response.headersSent) return void response.destroy();
    if (status === 503) response.setHeader('Retry-After', String(RETRY_AFTER_S));
    sendPage(response, status, pageOf(error, status, id));
  }

  private async report(refused: SignInRefused, request: Request): Promise<void> {
    const { message: reason, provider, kind, email, details } = refused;
    this.log.warn({ provider, reason, kind, details }, 'A sign-in was refused.');
    const from = { remoteAddress: request.ip ?? '', userAgent: request.headers['user-agent'] ?? '' };
    try {
      const accountId = email ? await this.accountOf(email, request) : '';
      const shown = { kind, email, accountId, details: JSON.stringify(details) };
      await this.identity.reportRefusedSignIn(gatewayCaller(request), { provider, reason, ...shown, ...from });
    } catch (error) {
      this.log.warn({ err: error }, 'It could not be put into the audit trail.');
    }
  }

  /** Whose administrators see the refusal: those of the user with the address, or of who invited it. */
  private async accountOf(email: string, request: Request): Promise<string> {
    const { user, invitation } = await this.tenancy.resolveMember(gatewayCaller(request), { email, name: '' });
    return user?.accountId || (invitation?.accountId ?? '');
  }
}
