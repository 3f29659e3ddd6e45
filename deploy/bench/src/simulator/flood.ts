import type { SocketToken } from '../hub.ts';
import { openTerminal, type Place } from '../targets/warren.ts';

/** A terminal of a simulated device that is to print without an end in sight. */
export interface FloodOptions {
  place: Place;
  token: SocketToken;
}

export interface Flood {
  /** Ends it; resolves with what came, megabytes a second. */
  end(): Promise<number>;
}

/** More than a minute of it. */
const LINES = 100_000_000;

/** Opens a terminal of a simulated device, has it print as fast as the hub takes it, and reads all. */
export async function flood({ place, token }: FloodOptions): Promise<Flood> {
  const terminal = await openTerminal(place, token);
  const start = performance.now();
  let got = 0;
  terminal.onOutput((bytes) => (got += bytes.length));
  terminal.write(`count ${LINES}\r`);
  return {
    end: async () => {
      const rate = got / 1_000 / (performance.now() - start);
      await terminal.close();
      return rate;
    },
  };
}
