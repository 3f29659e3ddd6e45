import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Office } from '../office.ts';
import { makeRelease } from '../releases.ts';
import { VncDesktop } from '../vnc.ts';
import type { Warren } from '../warren.ts';
import { startGreenhousePage } from './greenhouse.page.ts';
import { exposed } from './scene.ts';

/** A program that tells of a garden's water. */
const WATERING = `for hour in 05 06 07 08 09; do for bed in 1 2 3 4 5 6; do
printf ' %s:%s0   bed %s   valve open %s min   %s.%s litres   soil %s %%\\n' $hour $((bed - 1)) $bed $((bed + 2)) $((bed * 3)) $bed $((30 + bed * 2))
done; done; sleep infinity`;

interface Device {
  id: string;
  serial: string;
}

/** What devices show, and a version on its way to them. */
export interface Backdrop {
  /** The host of the web page. */
  web: string;
  end(): Promise<void>;
}

/**
 * A web page and a desktop behind devices of this machine, and a rollout to an account.
 * @param shown whose page and whose desktop
 */
export async function setBackdrop(
  office: Office,
  warren: Warren,
  shown: { web: Device; desktop: Device; account: string },
): Promise<Backdrop> {
  const releases = join(warren.facts.home, 'releases');
  const [page, desktop] = await Promise.all([
    startGreenhousePage(),
    VncDesktop.tiger(),
    makeRelease(join(releases, 'next'), '0.2.0', { instead: 'exit 1' }),
  ]);
  await desktop.terminal(WATERING);
  const { id, serial } = shown.desktop;
  await office.call('PUT', '/tunnel/set_vnc', { id, serial, port: desktop.port });
  const web = await exposed(office, shown.web, page.port);
  await office.call('POST', '/api/updates/rollouts', { version: '0.2.0', account: shown.account, share: 100 });
  const end = async () => {
    await Promise.all([page.stop(), desktop.stop(), rm(releases, { recursive: true, force: true })]);
  };
  return { web, end };
}
