import { parseCookie, stringifySetCookie } from 'cookie';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** 256 bits as base64url. */
const SECRET = /^[\w-]{43}$/;
/** Maximum cookies of one name: over plain http a parent domain or a longer path can add more. */
const MAX_READ = 4;

/** Maximum minutes of a sign-in at the identity provider. */
const SIGN_IN_S = 600;

/**
 * The hub's cookies. Over https they have the `__Host-` prefix, so no other host, such as a device's web service, can set or
 * widen them.
 */
export class HubCookies {
  private readonly secure: boolean;
  private readonly session: string;
  private readonly signIn: string;
  private readonly redirect: string;
  private readonly guest: string;

  constructor(hubUrl: string) {
    this.secure = hubUrl.startsWith('https:');
    this.session = this.secure ? '__Host-warren' : 'warren';
    this.signIn = '__Host-warren-sign-in';
    this.redirect = this.secure ? '__Host-warren-redirect' : 'warren-redirect';
    this.guest = this.secure ? '__Host-warren-guest' : 'warren-guest';
  }

  /** Reads the session's secret; undefined for a malformed cookie. */
  readSession(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    return this.readSessions(request)[0];
  }

  /** Reads the candidates for the session's secret. Over https there is at most one, as no other host can set the cookie. */
  readSessions(request: Pick<IncomingMessage, 'headers'>): string[] {
    return this.read(request, this.session);
  }

  setSession(response: ServerResponse, secret: string, expires: Date): void {
    this.append(response, stringifySetCookie(this.session, secret, { ...this.options('lax'), expires }));
  }

  clearSession(response: ServerResponse): void {
    this.append(response, stringifySetCookie(this.session, '', { ...this.options('lax'), maxAge: 0 }));
  }

  /**
   * Ties a sign-in to the browser that began it, which prevents login CSRF. The answer is posted from another site, so the cookie needs
   * SameSite=None, which needs https; over plain http there is no such cookie.
   */
  get bindsSignIn(): boolean {
    return this.secure;
  }

  readSignIn(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    return this.secure ? this.read(request, this.signIn)[0] : undefined;
  }

  setSignIn(response: ServerResponse, secret: string): void {
    this.append(response, stringifySetCookie(this.signIn, secret, { ...this.options('none'), maxAge: SIGN_IN_S }));
  }

  /** Does the same for answers that come by redirect. Browsers send SameSite=Lax cookies with them, over plain http too. */
  readRedirect(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    return this.read(request, this.redirect)[0];
  }

  setRedirect(response: ServerResponse, secret: string): void {
    this.append(response, stringifySetCookie(this.redirect, secret, { ...this.options('lax'), maxAge: SIGN_IN_S }));
  }

  /** Reads the secret of a guest, which opens what their link does and nothing else. */
  readGuest(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    return this.read(request, this.guest)[0];
  }

  setGuest(response: ServerResponse, secret: string, expires: Date): void {
    this.append(response, stringifySetCookie(this.guest, secret, { ...this.options('strict'), expires }));
  }

  private read({ headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>, name: string): string[] {
    const values = cookie.split(';').map((pair) => parseCookie(pair)[name] ?? '');
    return [...new Set(values.filter((value) => SECRET.test(value)))].slice(0, MAX_READ);
  }

  private options(sameSite: 'lax' | 'none' | 'strict') {
    return { httpOnly: true, secure: this.secure, sameSite, path: '/' } as const;
  }

  private append(response: ServerResponse, cookie: string): void {
    response.appendHeader('Set-Cookie', cookie);
  }
}
