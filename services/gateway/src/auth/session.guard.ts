import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { AccessDenied } from '../http/access.ts';
import { AUTH_CONFIG, type AuthConfig } from './config/auth.config.ts';
import { requireOwnOrigin } from './origin.ts';
import { ACCOUNTLESS_ROUTES, names, PUBLIC_ROUTES } from '../http/public-routes.ts';
import { HubCookies } from './session.cookie.ts';
import { SessionReader, type Access } from './session.reader.ts';
import { bearerOf } from './tokens/bearer.ts';
import { TokenAccess } from './tokens/token.access.ts';
import { requestId, withOrigin, type SignedInRequest } from '../http/signed-in.request.ts';

/**
 * Guards every route, in this order: public routes pass; a request with an API token is its owner's, and no browser sends it by itself;
 * without one, state-changing requests must come from the hub's own pages (403); there must be a session (401); its person must be an
 * active user (403 with the reason as code).
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly cookies: HubCookies,
    private readonly sessions: SessionReader,
    private readonly tokens: TokenAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const path = (request.route as { path: string }).path;
    if (names(PUBLIC_ROUTES, request.method, path)) return true;
    request.operation = context.getHandler().name;
    const bearer = bearerOf(request.headers);
    if (bearer !== undefined) {
      admit(request, await this.tokens.read(request, bearer));
      return true;
    }
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    const [secret, ...others] = this.cookies.readSessions(request);
    if (!secret) throw new Fault('unauthenticated', 'sign in first.');
    const access = await this.sessions.readFirst([secret, ...others], requestId(request));
    const { denial } = access;
    admit(request, access);
    if (denial && !names(ACCOUNTLESS_ROUTES, request.method, path)) throw new AccessDenied(denial);
    return true;
  }
}

function admit(request: SignedInRequest, { signedIn, caller }: Access): void {
  request.signedIn = signedIn;
  if (caller) request.caller = withOrigin(caller, request);
}
