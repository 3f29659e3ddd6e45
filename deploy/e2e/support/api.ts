import type { APIRequestContext } from '@playwright/test';

/** A device as the API shows it; what the tests look at. */
export interface DeviceJson {
  id: string;
  name: string;
  custom_name: string;
  serial: string;
  http_address: string;
  status: string;
  status_since: string;
  account: { id: string; name: string };
  cpu_cores: number;
  total_ram: number;
  total_disk: number;
  kernel: string;
  agent_version: string;
  private_ip: string;
  labels: Record<string, string>;
}

export interface SocketToken {
  token: string;
  user_id: string;
  device_sid: string;
  device_name: string;
}

/** @throws with the body when the answer is not 2xx */
export async function getJson<T>(request: APIRequestContext, path: string): Promise<T> {
  const response = await request.get(path);
  if (!response.ok()) throw new Error(`GET ${path}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Sends a change as the console does. @param hub its origin @throws with the body when the answer is not 2xx */
export async function sendJson<T>(
  { request, hub }: { request: APIRequestContext; hub: string },
  method: string,
  path: string,
  data?: object,
): Promise<T> {
  const response = await request.fetch(path, { method, headers: { origin: hub }, data });
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as T;
}

export async function device(request: APIRequestContext, id: string): Promise<DeviceJson> {
  return (await getJson<{ result: DeviceJson }>(request, `/api/devices/${id}`)).result;
}

export function devices(request: APIRequestContext, query = ''): Promise<{ total: number; devices: DeviceJson[] }> {
  return getJson(request, `/api/devices?${query}`);
}

/** The id of a device's link, which a new link changes; '' while there is none. */
export async function linkId(request: APIRequestContext, id: string): Promise<string> {
  const response = await request.get(`/socketsio/get_device_info/${id}`);
  return response.ok() ? ((await response.json()) as { device_sid: string }).device_sid : '';
}

/** @param hub another address than that of the copy */
export function socketToken(
  request: APIRequestContext,
  id: string,
  hub = '',
  purpose: 'terminal' | 'desktop' = 'terminal',
): Promise<SocketToken> {
  return getJson(request, `${hub}/api/get-socket-token/${id}?purpose=${purpose}`);
}

/** Makes an enrolment token as the console does; the origin is the hub's own. */
export async function enrolmentToken(
  request: APIRequestContext,
  hub: string,
  account: string,
  uses = 1,
): Promise<{ token: string; command: string }> {
  const response = await request.post('/api/enrolment_tokens', {
    headers: { origin: hub },
    data: { account, devices: uses },
  });
  if (response.status() !== 201) throw new Error(`enrolment token: ${response.status()} ${await response.text()}`);
  return (await response.json()) as { token: string; command: string };
}

/** Says where on a device its VNC server is; the request is a SuperAdmin's. */
export async function setVnc(
  request: APIRequestContext,
  hub: string,
  id: string,
  port: number | string,
): Promise<void> {
  const { serial } = await device(request, id);
  const headers = { origin: hub };
  const response = await request.put('/tunnel/set_vnc', { headers, data: { id, serial, port } });
  if (!response.ok()) throw new Error(`VNC address: ${response.status()} ${await response.text()}`);
}

/**
 * Exposes a port of a device as its web service; the request is a SuperAdmin's.
 * @param host which of its names the server sees
 */
export async function setWeb(
  request: APIRequestContext,
  hub: string,
  id: string,
  port: number,
  host: 'local' | 'public' = 'local',
  permissions: string[] = [],
): Promise<DeviceJson> {
  const found = await device(request, id);
  const data = { id, serial: found.serial, port, host, permissions };
  const response = await request.put('/tunnel/enable_http', { headers: { origin: hub }, data });
  if (!response.ok()) throw new Error(`web service: ${response.status()} ${await response.text()}`);
  return found;
}

/** Ends all terminals that a person has on a device; those of earlier tests wait for their ten minutes. */
export async function endTerminals(request: APIRequestContext, hub: string, id: string): Promise<void> {
  const { terminals } = await getJson<{ terminals: { session: string }[] }>(request, `/api/devices/${id}/terminals`);
  for (const { session } of terminals) {
    await request.delete(`/api/devices/${id}/terminals/${session}`, { headers: { origin: hub } });
  }
}
