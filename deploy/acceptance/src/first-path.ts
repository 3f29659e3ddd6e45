import { AccountKeeper } from './account.ts';
import type { AcceptanceConfig } from './config.ts';
import { Device } from './device.ts';
import type { Hub } from './hub.ts';
import { Stopped, type Steps } from './steps.ts';
import { useTerminal } from './terminal.ts';
import { signIn } from './tester.ts';

/** Runs the path of a first user: sign in, add a device, open its terminal. Deletes everything at the end. */
export async function firstPath(steps: Steps, hub: Hub, config: AcceptanceConfig, folder: string): Promise<void> {
  const keeper = new AccountKeeper(folder);
  let device: Device | undefined;
  try {
    const { account, email } = await steps.need('the account of the test is there', () => keeper.account());
    await steps.need('the test identity signs in by SAML', () => signIn(hub, config.IDENTITY_FOLDER, email));
    await steps.need('the hub knows who signed in', async () => {
      const { text } = await hub.ask('/auth/saml/getsession', 200);
      if (!text.includes(email) || !text.includes(account)) throw new Error(`it says ${text.slice(0, 300)}`);
    });
    const at = config.AGENTS_DIRECT ? config.TUNNELS_URL : config.GATEWAY_URL;
    const sockets = config.SOCKETS_DIRECT ? config.TUNNELS_URL : config.GATEWAY_URL;
    const added = await steps.need('a device is enrolled', async () => {
      const { token } = await hub.json<{ token: string }>('/api/enrolment_tokens', 201, { account, devices: 1 });
      return Device.enrol(hub, at, account, token);
    });
    device = added;
    await steps.need('the device is linked', () => linked(hub, added));
    await steps.need('its terminal echoes what is typed', () => useTerminal(hub, sockets, added.id));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await leaveNothing(steps, hub, keeper, device);
  }
}

async function linked(hub: Hub, device: Device): Promise<void> {
  device.requireLinked();
  const { result } = await hub.json<{ result: { status: string } }>(`/api/devices/${device.id}`);
  if (result.status !== 'Connected') throw new Error(`the hub shows it as ${result.status}`);
}

async function leaveNothing(steps: Steps, hub: Hub, keeper: AccountKeeper, device: Device | undefined): Promise<void> {
  await keeper.finish();
  await steps.check('the account of the test is removed', () => keeper.requireRemoved());
  await steps.check('the session of the test ends', () => hub.ask('/auth/saml/getsession', 401));
  if (!device) return;
  await steps.check('the device of the test is turned away', async () => device.requireRefused());
  await device.stop();
}
