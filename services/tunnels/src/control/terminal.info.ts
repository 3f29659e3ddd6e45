import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { TerminalCapacity, TerminalInfo } from '@warren/proto/agent/v1/agent';
import { terminalName, TERMINAL_LIMITS } from '@warren/rules/terminals';
import { DAY_S } from '../access/pin.limits.ts';
import { deviceWords } from '../sockets/words.ts';

const MAX_COMMAND = 32;
const CELLS_MAX = 1_000;
/** More than a device gives to terminals; what it says is untrusted. */
const MEMORY_MAX = 2n ** 40n;
const COUNT_MAX = 10_000;

/** Bounds what an agent says of a terminal. */
export function terminalOf(info: TerminalInfo) {
  const { session, startedAt, usedAt, attached, size, command, name, pinS, unpinnable, leftS } = info;
  return {
    session: deviceWords(session),
    startedAt: time(startedAt),
    usedAt: time(usedAt),
    attached,
    cols: cells(size?.cols),
    rows: cells(size?.rows),
    command: deviceWords(command).slice(0, MAX_COMMAND),
    name: nameOf(name),
    pinDays: Math.min(Math.ceil(pinS / DAY_S), TERMINAL_LIMITS.pinDays),
    unpinnable: deviceWords(unpinnable),
    ...(leftS !== undefined && { leftS: Math.min(leftS, TERMINAL_LIMITS.pinDays * DAY_S) }),
    memory: bytes(info.memory),
    memoryLimit: bytes(info.memoryLimit),
  };
}

/** Bounds what an agent says that it allows. @param pinDays what the account allows; undefined if that is not known */
export function capacityOf(capacity: TerminalCapacity | undefined, pinDays: number | undefined) {
  if (!capacity) return {};
  const { terminals, pinned, pinS, memory } = capacity;
  const most = Math.min(Math.floor(pinS / DAY_S), TERMINAL_LIMITS.pinDays);
  const allowed = {
    terminals: Math.min(terminals, COUNT_MAX),
    pinned: Math.min(pinned, COUNT_MAX),
    memory: bytes(memory),
    ...(pinDays !== undefined && { pinDays: Math.min(pinDays, most) }),
  };
  return { capacity: allowed };
}

/** A name that people may give is left as it is: it may join emoji, or Persian letters. */
const nameOf = (untrusted: string) =>
  terminalName.safeParse(untrusted).data ?? Array.from(deviceWords(untrusted)).slice(0, TERMINAL_LIMITS.name).join('');
const cells = (count = 0) => Math.min(count, CELLS_MAX);
const bytes = (count: bigint) => (count < MEMORY_MAX ? count : MEMORY_MAX);

/** A device's clock may run ahead; clamps its timestamps to now. */
const time = (milliseconds: bigint) => timestampFromMs(Math.min(Number(milliseconds), Date.now()));
