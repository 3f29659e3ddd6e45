import { until } from '@warren/infra/until';
import { Links } from '../src/links/links.ts';
import type { TestDevice } from './fake.agent.ts';
import type { Browser, World } from './world.ts';

/** What a browser asks for when it opens a terminal. */
export const REGISTER = { cols: 80, rows: 24, encoding: 'binary', acks: true };

export interface Neighbour {
  device: TestDevice;
  browser: Browser;
  /** Prints a byte in the terminal; resolves when the browser has it. */
  printed: () => Promise<void>;
}

/** A device of another account, and a person at its terminal. */
export async function neighbourOf(world: World): Promise<Neighbour> {
  const device = world.neighbours.device();
  const agent = await world.agent(device);
  await until(() => world.app.get(Links).get(device.id) !== undefined);
  const browser = world.browser(device.id);
  browser.socket.emit('register', REGISTER);
  await until(() => browser.heard('register_status')?.['success'] === true);
  const printed = async () => {
    const before = browser.bytes().length;
    await agent.last().print('x');
    await until(() => browser.bytes().length === before + 1);
  };
  return { device, browser, printed };
}
