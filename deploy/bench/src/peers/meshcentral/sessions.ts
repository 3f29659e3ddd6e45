import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { WebSocket } from 'ws';
import type { PipeTarget } from '../../pipe.ts';
import type { Place } from '../../probes/load.ts';
import { Heard } from '../../targets/heard.ts';
import type { Target, Terminal } from '../../terminal.ts';
import { socketPipe } from '../socket.pipe.ts';
import { pageHeaders, type Address } from './address.ts';
import type { Control } from './control.ts';
import { control, isControl, openRelay } from './relay.ts';

/** The protocol of a terminal, and what its first message asks for. */
const TERMINAL = '1';

/** A device behind a server, for a person who is signed in there. */
export interface Device {
  address: Address;
  person: Control;
  /** The device's id. */
  nodeid: string;
  /** What lets the person, and the agent, into a relay; good for half an hour at least. */
  cookies(): Promise<Cookies>;
}

export interface Cookies {
  cookie: string;
  rcookie: string;
}

/** Opens a terminal as MeshCentral's console does. */
export function meshTerminal(device: Device): Target {
  return { name: 'MeshCentral', open: () => openTerminal(device) };
}

async function openTerminal({ address, person, nodeid, cookies }: Device): Promise<Terminal> {
  const { cookie, rcookie } = await cookies();
  const id = randomBytes(6).toString('hex');
  const forAgent = new URLSearchParams({ p: TERMINAL, nodeid, id, rauth: rcookie });
  const value = `*/meshrelay.ashx?${forAgent.toString()}`;
  const invite = () => person.tell({ action: 'msg', type: 'tunnel', usage: 1, nodeid, value });
  const socket = await openRelay(address, { p: TERMINAL, nodeid, id, auth: cookie }, invite);
  const heard = new Heard();
  socket.on('message', (data: Buffer, binary: boolean) => {
    if (!isControl(data, binary)) heard.tell(data);
  });
  socket.send(control('options', { cols: 80, rows: 24 }));
  socket.send(TERMINAL);
  return {
    write: (text) => socket.send(Buffer.from(text)),
    onOutput: (listener) => heard.listen(listener),
    close: () => closed(socket),
  };
}

/** A port of the device, by the relay that its router program uses. */
export function meshPipe({ address, nodeid, cookies }: Device, port: number): PipeTarget {
  const open = async () => {
    const { cookie } = await cookies();
    const socket = await openRelay(address, { nodeid, tcpport: String(port), auth: cookie }, () => {});
    return socketPipe(socket, (data, binary) => !isControl(data, binary));
  };
  return { name: 'MeshCentral', open };
}

/** Opens a web service of the device as MeshCentral's console does. @throws Error when the server refuses access */
export async function meshPage({ address, nodeid, cookies }: Device, port: number): Promise<Place> {
  const { rcookie } = await cookies();
  const query = new URLSearchParams({ n: nodeid, p: String(port), appid: '1', c: rcookie });
  const { 'set-cookie': given } = await pageHeaders(address, `/control-redirect.ashx?${query.toString()}`);
  if (!given) throw new Error('MeshCentral opened no web service');
  const cookie = given.map((line) => line.split(';', 1)[0]).join('; ');
  return { url: `https://127.0.0.1:${address.ports.pages}`, headers: { cookie } };
}

async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return;
  const gone = once(socket, 'close');
  socket.close();
  await gone;
}
