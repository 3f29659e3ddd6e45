import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from '../config.ts';

type Origins = Pick<GatewayConfig, 'HUB_URL' | 'DEVICE_DOMAIN'>;

/**
 * Builds the Content-Security-Policy of all responses (W3C CSP 3). Allows scripts of the hub only; inline styles, which the console's
 * component library needs; sockets to this host; frames of web services only.
 */
export function contentSecurityPolicy({ HUB_URL, DEVICE_DOMAIN }: Origins): Record<string, string[] | null> {
  const { protocol, host } = new URL(HUB_URL);
  const secure = protocol === 'https:';
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'", 'data:'],
    'worker-src': ["'self'", 'blob:'],
    // Some browsers don't match a socket to the page's own host with 'self'.
    'connect-src': ["'self'", `${secure ? 'wss' : 'ws'}://${host}`],
    'frame-src': [devicePages({ HUB_URL, DEVICE_DOMAIN })],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    // A form opens the frame of a web service and posts its ticket.
    'form-action': ["'self'", devicePages({ HUB_URL, DEVICE_DOMAIN })],
    'upgrade-insecure-requests': secure ? [] : null,
  };
}

function devicePages({ HUB_URL, DEVICE_DOMAIN }: Origins): string {
  return `${new URL(HUB_URL).protocol}//*.${DEVICE_DOMAIN}`;
}

/** Features that a web service may use if its device allows them; the frame lists them. */
const LENT = ['camera', 'clipboard-read', 'geolocation', 'microphone'];
const DENIED = ['payment', 'usb'];

/** The Permissions-Policy of all responses (W3C Permissions Policy, 5.1). */
export function permissionsPolicy(origins: Origins): string {
  // A frame gets at most the features of the page around it.
  const lent = LENT.map((feature) => `${feature}=(self "${devicePages(origins)}")`);
  return [...lent, ...DENIED.map((feature) => `${feature}=()`)].join(', ');
}

/** Sets the security headers of all responses. Over plain http it omits those that would redirect to https. */
export function securityHeaders(config: Origins): RequestHandler {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(config) },
    strictTransportSecurity: config.HUB_URL.startsWith('https:') && { maxAge: 365 * 24 * 3600 },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
  const permissions = permissionsPolicy(config);
  return (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Permissions-Policy', permissions);
    // Cacheable responses set their own header.
    response.setHeader('Cache-Control', 'no-store');
    protect(request, response, next);
  };
}
