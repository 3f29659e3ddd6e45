import { until } from '@warren/infra/until';
import type { SocketToken } from '../api.ts';
import { recordingSettings } from '../matrix/bodies.ts';
import type { Office } from '../office.ts';
import { openSocket } from '../socket.ts';

interface Listed {
  id: string;
  ended: string | null;
}

/** What is typed, with pauses as of a person who reads. */
const COMMANDS = [
  String.raw`run() { printf '\033]133;C;cmdline_url=%s\007' "$(printf %s "$*" | sed 's/ /%20/g')"; "$@"; printf '\033]133;D;%s\007' $?; }`,
  String.raw`PS1='\[\e[1;32m\]pi@greenhouse\[\e[0m\]:\[\e[1;34m\]~\[\e[0m\]\$ '; clear`,
  'run uname -sr',
  'sleep 1; run df -h /',
  'sleep 1; run free -m',
  'sleep 1; run ls /no/such/folder',
  'exit',
];

/** Has a terminal on a connected device recorded, and waits until it is stored. @returns the id of its recording */
export const recordSession = (office: Office, machine: string): Promise<string> =>
  recorded(office, machine, () => typeAll(office, machine));

/** Has a session on a connected device recorded, and waits until it is stored. @returns the id of its recording */
export async function recorded(office: Office, machine: string, session: () => Promise<void>): Promise<string> {
  const { account } = (await office.call<{ result: { account: { id: string } } }>('GET', `/api/devices/${machine}`))
    .result;
  const set = (change: object) =>
    office.call('PUT', '/api/recordings/settings', { ...recordingSettings, account: account.id, ...change });
  const path = `/api/recordings?account=${account.id}&device=${machine}&limit=1`;
  const newest = async () => (await office.call<{ recordings: Listed[] }>('GET', path)).recordings[0];
  const before = (await newest())?.id;
  await set({ policy: 'required', desktops: true });
  try {
    await session();
  } finally {
    await set({});
  }
  let id = '';
  await until(async () => {
    const one = await newest();
    id = one?.id ?? '';
    return one !== undefined && one.id !== before && one.ended !== null;
  }, 60_000);
  return id;
}

/** Opens a terminal, types the commands, and waits for its end. */
async function typeAll(office: Office, machine: string): Promise<void> {
  const ticket = await office.call<SocketToken>('GET', `/api/get-socket-token/${machine}?purpose=terminal`);
  const socket = await openSocket(office.hub.origin, ticket);
  const ids = { client_sid: ticket.device_sid, browser_sid: socket.id };
  try {
    const ended = new Promise((resolve) => socket.once('exit', resolve));
    const registered = new Promise<{ success: boolean; error: string }>((resolve) =>
      socket.once('register_status', resolve),
    );
    socket.emit('register', { ...ids, cols: 80, rows: 24 });
    const { success, error } = await registered;
    if (!success) throw new Error(`register: ${error}`);
    for (const command of COMMANDS) socket.emit('input', { ...ids, input: `${command}\n` });
    await ended;
  } finally {
    socket.disconnect();
  }
}
