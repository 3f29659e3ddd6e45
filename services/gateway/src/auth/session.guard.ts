import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { AccessDenied } from '../http/access.ts';
import { AUTH_CONFIG, type AuthConfig } from './auth.config.ts';
import { requireOwnOrigin } from './origin.ts';
import { ACCOUNTLESS_ROUTES, names, PUBLIC_ROUTES } from '../http/public-routes.ts';
import { HubCookies } from './session.cookie.ts';
import { SessionReader } from './session.reader.ts';
import { requestId, withOrigin, type SignedInRequest } from '../http/signed-in.request.ts';

/**
 * Guards every route, in this order: public routes pass; state-changing requests must come from the hub's own pages (403); there must
 * be a session (401); its person must be an active user (403 with the reason as code).
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly cookies: HubCookies,
    private readonly sessions: SessionReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const path = (request.route as { path: string }).path;
    if (names(PUBLIC_ROUTES, request.method, path)) return true;
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    const [secret, ...others] = this.cookies.readSessions(request);
    if (!secret) throw new Fault('unauthenticated', 'sign in first.');
    const { signedIn, caller, denial } = await this.sessions.readFirst([secret, ...others], requestId(request));
    request.signedIn = signedIn;
    if (caller) request.caller = withOrigin(caller, request);
    if (denial && !names(ACCOUNTLESS_ROUTES, request.method, path)) throw new AccessDenied(denial);
    return true;
  }
}
