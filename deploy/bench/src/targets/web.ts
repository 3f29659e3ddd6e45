import { request } from 'node:http';
import type { Hub } from '../hub.ts';
import type { Place } from '../probes/load.ts';

interface Page {
  id: string;
  serial: string;
  http_address: string;
}

/**
 * The web page of a device through the whole path: tunnels, agent.
 * @param port its server's
 * @param address where its host leads: to tunnels, or to the gateway, which is one process more on the way
 */
export async function warrenWeb(hub: Hub, deviceId: string, port: number, address: string): Promise<Place> {
  const { result } = await hub.get<{ result: Page }>(`/api/devices/${deviceId}`);
  const { id, serial, http_address: host } = result;
  await hub.send('PUT', '/tunnel/enable_http', { id, serial, port, ipaddr: '127.0.0.1', host: 'local' });
  const { url } = await hub.send<{ url: string }>('POST', `/api/devices/${id}/web-address`, {});
  const at = new URL(address);
  const { pathname, search } = new URL(url);
  const cookie = await enter({ at, path: pathname + search, host });
  return { url: `http://127.0.0.1:${at.port}`, headers: { host, cookie } };
}

/** Enters as the console's frame does. Names below localhost are a browser's to resolve, so the address is given. */
function enter({ at, path, host }: { at: URL; path: string; host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'sec-fetch-dest': 'iframe' };
    const asked = request({ host: '127.0.0.1', port: at.port, path, headers }, (answer) => {
      answer.resume();
      const [cookie] = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
      if (cookie) resolve(cookie);
      else reject(new Error(`The web page was not opened: ${answer.statusCode}`));
    });
    asked.once('error', reject).end();
  });
}
