import type { Emitter } from '../emitter.ts';
import type { HubSocket } from '../socket.ts';
import { decodeOutput } from './codec.ts';
import { decodeRecording } from '../recording.ts';
import type { OutputStream } from './stream.ts';
import type { PeopleInTerminal, Size, TerminalEvents, TerminalRole } from './types.ts';

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const roleOf = (value: unknown): TerminalRole => (value === 'reader' ? 'reader' : 'writer');

/** Columns and rows; null where the message has none. */
function decodeSize(value: unknown): Size | null {
  const { cols, rows } = fieldsOf(value);
  const valid = [cols, rows].every((count) => Number.isInteger(count) && Number(count) > 0 && Number(count) <= 1_000);
  return valid ? { cols: Number(cols), rows: Number(rows) } : null;
}

/** The screen at an offset, which replaces output that this browser was too slow for; null without one. */
function decodeSnapshot(value: unknown): { bytes: Uint8Array; offset: number; size: Size | null } | null {
  const frame = decodeOutput({ output: fieldsOf(value)['data'], offset: fieldsOf(value)['offset'] });
  return frame && frame.offset !== null ? { ...frame, offset: frame.offset, size: decodeSize(value) } : null;
}

function decodePeople(value: unknown): PeopleInTerminal {
  const { people, requests } = fieldsOf(value);
  return {
    people: listOf(people).map(({ id, user, email, role, owner, observes, you }) => ({
      id: textOf(id),
      user: textOf(user),
      email: textOf(email),
      role: roleOf(role),
      owner: owner === true,
      observes: observes === true,
      you: you === true,
    })),
    requests: listOf(requests).map(({ id, email, role }) => ({
      id: textOf(id),
      email: textOf(email),
      role: roleOf(role),
    })),
  };
}

/** A terminal that several windows and people share: how this one attaches, and who else is there. */
export class Sharing {
  private socket: HubSocket | null = null;
  private takesOver = false;
  private role: TerminalRole = 'writer';
  /** Whether this window sets the size. The agent forgets that with the attachment, so it is said again after each. */
  private mine = false;

  constructor(
    private readonly events: Emitter<TerminalEvents>,
    private asks: boolean,
  ) {}

  /** Whether it is another person's terminal, or may be: its owner is asked. */
  get asksOwner(): boolean {
    return this.asks;
  }

  get writes(): boolean {
    return this.role === 'writer';
  }

  /** What a `register` says of it. */
  get request(): { join: boolean; ask?: TerminalRole } {
    return { join: !this.takesOver, ...(this.asks && { ask: 'reader' as const }) };
  }

  /** Shows one of this person's terminals next. @param takesOver instead of the windows that show it now */
  choose(takesOver: boolean): void {
    this.asks = false;
    this.takesOver = takesOver;
    this.role = 'writer';
    this.mine = false;
  }

  /** Listens to what the hub says of the people in the terminal. @param onAsking called while the owner has not answered */
  listen(socket: HubSocket, stream: Pick<OutputStream, 'skip'>, onAsking: () => void): void {
    this.socket = socket;
    socket.on('asking', onAsking);
    socket.on('people', (message) => this.events.emit('people', decodePeople(message)));
    socket.on('typing', (message) => this.events.emit('typing', { id: textOf(fieldsOf(message)['id']) }));
    socket.on('recording', (message) => this.events.emit('recording', decodeRecording(message)));
    socket.on('sizing', () => this.losesSize());
    socket.on('size', (message) => this.sized(decodeSize(message)));
    socket.on('snapshot', (message) => {
      const snapshot = decodeSnapshot(message);
      if (!snapshot) return;
      stream.skip(snapshot.offset);
      this.sized(snapshot.size);
      this.events.emit('redraw', snapshot);
    });
  }

  /** Takes what the hub says of the terminal when it is attached. */
  registered(message: unknown): void {
    const { size, role } = fieldsOf(message);
    this.takesOver = false;
    this.role = roleOf(role);
    this.mine &&= this.writes;
    if (this.mine) this.socket?.emit('sizing', { mine: true });
    this.events.emit('role', { role: this.role, mine: this.mine });
    this.events.emit('people', { people: [], requests: [] });
    this.events.emit('recording', null);
    this.sized(decodeSize(size));
  }

  /** Lets a person in, or does not. Only the owner can. */
  answer(id: string, role: TerminalRole | null): void {
    this.socket?.emit('answer', { id, role });
  }

  /** Changes what a person may do, or ends it. Only the owner can. */
  change(user: string, role: TerminalRole | null): void {
    this.socket?.emit('role', { user, role });
  }

  /** Asks the owner to let this person type. */
  askForControl(): void {
    this.socket?.emit('ask', {});
  }

  /** Lets this window set the terminal's size, or the smallest window again. */
  sizeBy(mine: boolean): void {
    this.mine = mine;
    this.events.emit('role', { role: this.role, mine });
    this.socket?.emit('sizing', { mine });
  }

  /** Another window sets the size now, or has left it to the smallest. */
  private losesSize(): void {
    if (!this.mine) return;
    this.mine = false;
    this.events.emit('role', { role: this.role, mine: false });
  }

  private sized(size: Size | null): void {
    if (size) this.events.emit('sized', size);
  }
}
