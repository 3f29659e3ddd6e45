import { DevicesPage } from '../features/devices/DevicesPage.tsx';
import type { Device } from '../lib/api/types.ts';
import { SessionContext } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { FakeHub } from './fake-hub.ts';
import { ACCOUNT, person } from './people.ts';
import { show } from './render.tsx';

/** A hub with the devices that a test says. */
export const devicesHub = (list: () => { total: number; devices: Device[] }) =>
  new FakeHub()
    .on(/^\/api\/devices$/, () => ({ body: list() }))
    .on(/^\/api\/devices\/d1$/, () => ({ body: { result: list().devices[0] } }))
    .on(/^\/api\/accounts$/, () => ({ body: { total: 0, accounts: [] } }));

/** Shows the devices list of the usual account. */
export function open(query = '', session: Session = person()) {
  const element = (
    <SessionContext value={session}>
      <DevicesPage />
    </SessionContext>
  );
  const page = { path: '/devices/:account_id/:id', element: <p>The page</p> };
  return show([{ path: '/devices/:account_id', element }, page], `/devices/${ACCOUNT}${query}`);
}
