import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from '../config.ts';

type Origins = Pick<GatewayConfig, 'HUB_URL' | 'DEVICE_DOMAIN'>;

/**
 * The Content-Security-Policy of everything the gateway answers (W3C CSP 3). Scripts only from our own files; styles may be
 * inline, which the console's component library needs; sockets to this host; frames of device pages only.
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
    // Not every browser counts a socket to the page's own host as 'self'.
    'connect-src': ["'self'", `${secure ? 'wss' : 'ws'}://${host}`],
    'frame-src': [devicePages({ HUB_URL, DEVICE_DOMAIN })],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    // A frame of a device page is opened by a form that posts its ticket.
    'form-action': ["'self'", devicePages({ HUB_URL, DEVICE_DOMAIN })],
    'upgrade-insecure-requests': secure ? [] : null,
  };
}

function devicePages({ HUB_URL, DEVICE_DOMAIN }: Origins): string {
  return `${new URL(HUB_URL).protocol}//*.${DEVICE_DOMAIN}`;
}

/** A device page may have these where they are switched on for the device; the frame says which. */
const LENT = ['camera', 'clipboard-read', 'geolocation', 'microphone'];
const DENIED = ['payment', 'usb'];

/** The Permissions-Policy of everything the gateway answers (W3C Permissions Policy, 5.1). */
export function permissionsPolicy(origins: Origins): string {
  // A frame gets at most what the page that shows it has itself.
  const lent = LENT.map((feature) => `${feature}=(self "${devicePages(origins)}")`);
  return [...lent, ...DENIED.map((feature) => `${feature}=()`)].join(', ');
}

/** Security headers for every answer. Over plain http none that would send the browser to https. */
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
    // What is meant to be stored says so itself.
    response.setHeader('Cache-Control', 'no-store');
    protect(request, response, next);
  };
}
