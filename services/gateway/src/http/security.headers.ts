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
    'frame-src': [`${protocol}//*.${DEVICE_DOMAIN}`],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'upgrade-insecure-requests': secure ? [] : null,
  };
}

/** Security headers for every answer. Over plain http none that would send the browser to https. */
export function securityHeaders(config: Origins): RequestHandler {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(config) },
    strictTransportSecurity: config.HUB_URL.startsWith('https:') && { maxAge: 365 * 24 * 3600 },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
  return (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
    // What is meant to be stored says so itself.
    response.setHeader('Cache-Control', 'no-store');
    protect(request, response, next);
  };
}
