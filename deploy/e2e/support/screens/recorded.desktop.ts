import { until } from '@warren/infra/until';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Socket } from 'socket.io-client';
import type { SocketToken } from '../api.ts';
import type { Office } from '../office.ts';
import { openSocket } from '../socket.ts';
import { VncDesktop } from '../vnc.ts';
import { recorded } from './recorded.ts';

/** A program that tells of a garden's water. */
export const WATERING = `for hour in 05 06 07 08 09; do for bed in 1 2 3 4 5 6; do
printf ' %s:%s0   bed %s   valve open %s min   %s.%s litres   soil %s %%\\n' $hour $((bed - 1)) $bed $((bed + 2)) $((bed * 3)) $bed $((30 + bed * 2))
done; done; sleep infinity`;

const VERSION = Buffer.from('RFB 003.008\n');
/** ServerInit without the name. */
const INIT_BYTES = 24;
/** What noVNC sets: pixels of 32 bits, red first. */
const PIXELS = Buffer.from([0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]);
const RAW_ONLY = Buffer.from([2, 0, 0, 1, 0, 0, 0, 0]);

/** Has a desktop on a connected device recorded, and waits until it is stored. @returns the id of its recording */
export async function recordDesktop(office: Office, machine: string): Promise<string> {
  type Device = { result: { serial: string; vnc_port: number } };
  const { serial, vnc_port: former } = (await office.call<Device>('GET', `/api/devices/${machine}`)).result;
  const place = (port: number) => office.call('PUT', '/tunnel/set_vnc', { id: machine, serial, port });
  const desktop = await VncDesktop.tiger();
  try {
    await desktop.terminal(`until test -e ~/shown; do sleep 0.1; done; ${WATERING}`);
    const change = () => writeFile(join(desktop.folder, 'shown'), '');
    await place(desktop.port);
    return await recorded(office, machine, () => watch(office, machine, change));
  } finally {
    await place(former);
    await desktop.stop();
  }
}

/** Opens the desktop, has its picture changed, and waits for the change. */
async function watch(office: Office, machine: string, change: () => Promise<void>): Promise<void> {
  const ticket = await office.call<SocketToken>('GET', `/api/get-socket-token/${machine}?purpose=desktop`);
  const socket = await openSocket(office.hub.origin, ticket, office.hub.origin, machine);
  try {
    await show(socket, change);
  } finally {
    socket.disconnect();
  }
}

/** Speaks RFB 3.8 (RFC 6143) to a server without a sign-in. @param change called when the first picture is here */
async function show(socket: Socket, change: () => Promise<void>): Promise<void> {
  let came = Buffer.alloc(0);
  let refusal: string | undefined;
  socket.on('vnc_stream', ({ data }: { data: Buffer }) => (came = Buffer.concat([came, data])));
  socket.on('vnc_status', ({ success, error = '' }: { success: boolean; error?: string }) => {
    if (!success) refusal = error;
  });
  const send = (data: Buffer) => socket.emit('vnc_input', { data });
  const take = async (length: number) => {
    await until(() => came.length >= length || refusal !== undefined);
    if (refusal !== undefined) throw new Error(`start_vnc: ${refusal}`);
    const taken = came.subarray(0, length);
    came = came.subarray(length);
    return taken;
  };
  socket.emit('start_vnc', { encoding: 'binary' });
  await take(VERSION.length);
  send(VERSION);
  await take((await take(1)).readUInt8());
  send(Buffer.of(1));
  await take(4);
  send(Buffer.of(1));
  const init = await take(INIT_BYTES);
  await take(init.readUInt32BE(INIT_BYTES - 4));
  const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
  send(Buffer.concat([PIXELS, RAW_ONLY]));
  const picture = async (isIncremental: boolean) => {
    const request = Buffer.alloc(10);
    request.writeUInt8(3);
    request.writeUInt8(Number(isIncremental), 1);
    request.writeUInt16BE(width, 6);
    request.writeUInt16BE(height, 8);
    send(request);
    const count = (await take(4)).readUInt16BE(2);
    for (let rectangle = 0; rectangle < count; rectangle++) {
      const header = await take(12);
      await take(header.readUInt16BE(4) * header.readUInt16BE(6) * 4);
    }
  };
  await picture(false);
  // A server that has nothing new does not answer an incremental request (RFC 6143, 7.5.3).
  await change();
  await picture(true);
  await picture(false);
}
