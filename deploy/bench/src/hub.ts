import { setTimeout as wait } from 'node:timers/promises';

/** What a socket token is used for: whose it is, and the device's end. */
export interface SocketToken {
  token: string;
  user_id: string;
  device_sid: string;
}

interface DeviceRow {
  id: string;
  name: string;
  status: string;
}

/** A signed-in person's way to the hub, through the same calls as the console. */
export interface Hub {
  url: string;
  get<T>(path: string): Promise<T>;
  /** A call that changes something. */
  send<T>(method: 'POST' | 'PUT', path: string, body: object): Promise<T>;
  socketToken(deviceId: string, purpose?: 'terminal' | 'desktop'): Promise<SocketToken>;
  /** The first device that is connected; waits up to 30 s for one. */
  connectedDevice(): Promise<DeviceRow>;
}

/** Signs in through the real SAML forms of the development identity provider. */
export async function signIn(url: string, email: string): Promise<Hub> {
  const cookie = await sessionCookie(url, email);
  const call = async <T>(method: string, path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(new URL(path, url), { method, ...init });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const get = <T>(path: string) => call<T>('GET', path, { headers: { cookie } });
  const changing = { cookie, origin: url, 'content-type': 'application/json' };
  return {
    url,
    get,
    send: (method, path, body) => call(method, path, { headers: changing, body: JSON.stringify(body) }),
    socketToken: (deviceId, purpose = 'terminal') => get(`/api/get-socket-token/${deviceId}?purpose=${purpose}`),
    connectedDevice: async () => {
      for (let attempt = 0; attempt < 150; attempt++) {
        const { devices } = await get<{ devices: DeviceRow[] }>('/api/devices?page=1&limit=50');
        const device = devices.find(({ status }) => status === 'Connected');
        if (device) return device;
        await wait(200);
      }
      throw new Error('No device connected in 30 s.');
    },
  };
}

/** Signs in as {@link signIn} does. @returns the `Cookie` header of the session */
export async function sessionCookie(url: string, email: string): Promise<string> {
  const login = await fetch(new URL('/auth/saml/login', url), { redirect: 'manual' });
  const provider = new URL(login.headers.get('location') ?? '', url);
  const page = formOf(await (await fetch(provider)).text(), provider);
  const choice = await fetch(page.action, { method: 'POST', body: new URLSearchParams({ ...page.fields, email }) });
  const answer = formOf(await choice.text(), page.action);
  const acs = await fetch(answer.action, {
    method: 'POST',
    body: new URLSearchParams(answer.fields),
    redirect: 'manual',
  });
  const cookie = acs.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  if (!cookie) throw new Error(`Signing in as ${email} failed: ${acs.status} ${(await acs.text()).slice(0, 200)}`);
  return cookie;
}

interface Form {
  action: URL;
  fields: Record<string, string>;
}

/** The first form of a page of the development provider, which quotes every attribute. */
function formOf(html: string, base: URL): Form {
  const action = /<form[^>]*\baction="([^"]*)"/i.exec(html)?.[1];
  if (action === undefined) throw new Error(`No form at ${base.href}.`);
  const inputs = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/gi)].map(([tag]) => [
    /\bname="([^"]*)"/i.exec(tag)?.[1] ?? '',
    decode(/\bvalue="([^"]*)"/i.exec(tag)?.[1] ?? ''),
  ]);
  return { action: new URL(decode(action), base), fields: Object.fromEntries(inputs) as Record<string, string> };
}

function decode(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}
