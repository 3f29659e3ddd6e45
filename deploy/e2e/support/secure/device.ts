import type { Page } from '@playwright/test';
import type { DeviceJson } from '../api.ts';
import { LocalServer } from '../local.server.ts';
import { call } from './call.ts';
import type { SecureHub } from './hub.ts';

/** A device whose web service gives each browser a session and a setting, and shows which cookies reached it. */
export class SecureDevice {
  readonly name: string;
  readonly id: string;
  /** The host of its page, with the port. */
  readonly address: string;
  private readonly server: LocalServer;

  private constructor(name: string, { id, address }: { id: string; address: string }, server: LocalServer) {
    this.name = name;
    this.id = id;
    this.address = address;
    this.server = server;
  }

  /** @param operator a page of a SuperAdmin on the console */
  static async enrol(name: string, hub: SecureHub, operator: Page, account: string): Promise<SecureDevice> {
    const { token } = await call<{ token: string }>(operator, 'POST', '/api/enrolment_tokens', { account, devices: 1 });
    const id = await hub.enrol(name, { account, token });
    const { result } = await call<{ result: DeviceJson }>(operator, 'GET', `/api/devices/${id}`);
    const server = await serve(name);
    const data = { id, serial: result.serial, port: server.port, host: 'public', permissions: [] };
    await call(operator, 'PUT', '/tunnel/enable_http', data);
    return new SecureDevice(name, { id, address: result.http_address }, server);
  }

  /** The page's address. */
  get url(): string {
    return `https://${this.address}/`;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

/** The values tell which device has set a cookie. */
function serve(name: string): Promise<LocalServer> {
  return LocalServer.start(({ headers }, response) => {
    const { cookie = '' } = headers;
    const parent = String(headers['x-forwarded-host'])
      .replace(/^[^.]+\./, '')
      .replace(/:\d+$/, '');
    const own = [`sid=${name}; Path=/; HttpOnly; SameSite=Strict`, `theme=${name}; Path=/; Max-Age=3600`];
    const wide = `wide=${name}; Path=/; Domain=${parent}`;
    if (!cookie.includes(`sid=${name}`)) response.setHeader('Set-Cookie', [...own, wide]);
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>${name}</title><h1>${name}</h1><output>${cookie}</output>`);
  });
}
