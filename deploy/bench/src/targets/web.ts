import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Hub } from '../hub.ts';
import type { Place } from '../probes/load.ts';

interface Page {
  id: string;
  serial: string;
  http_address: string;
}

interface WebAddress {
  url: string;
  ticket: string;
}

/**
 * A device's web service through the whole path: tunnels, agent.
 * @param port its server's
 * @param address where its host leads: to tunnels, or to the gateway, which is one process more on the way
 */
export async function warrenWeb(hub: Hub, deviceId: string, port: number, address: string): Promise<Place> {
  const { result } = await hub.get<{ result: Page }>(`/api/devices/${deviceId}`);
  const { id, serial, http_address: host } = result;
  await hub.send('PUT', '/tunnel/enable_http', { id, serial, port, ipaddr: '127.0.0.1', host: 'local' });
  const secret = randomBytes(32).toString('base64url');
  const { url, ticket } = await hub.send<WebAddress>('POST', `/api/devices/${id}/web-address`, { secret });
  const at = new URL(address);
  const form = new URLSearchParams({ ticket, secret }).toString();
  const cookie = await enter({ at, path: new URL(url).pathname, host, form });
  return { url: `http://127.0.0.1:${at.port}`, headers: { host, cookie } };
}

/** Enters as the console's frame does. Names below localhost are a browser's to resolve, so the address is given. */
function enter({ at, path, host, form }: { at: URL; path: string; host: string; form: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(form);
    const headers = { host, 'sec-fetch-dest': 'iframe', 'content-length': length };
    const asked = request({ host: '127.0.0.1', port: at.port, path, method: 'POST', headers }, (answer) => {
      answer.resume();
      const [cookie] = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
      if (cookie) resolve(cookie);
      else reject(new Error(`The web service was not opened: ${answer.statusCode}`));
    });
    asked.once('error', reject).end(form);
  });
}
