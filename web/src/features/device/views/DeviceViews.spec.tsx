import { beforeEach, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { IconArrowsDiff, IconRefresh, IconUserShare } from '@tabler/icons-react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { SessionContext } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import type { RowAction } from '../../../ui/RowMenu.tsx';
import { DeviceViews } from './DeviceViews.tsx';

let mounts: string[] = [];
let chosen: string[] = [];

const actions: RowAction[][] = [
  [],
  [
    { label: 'Compare', icon: IconArrowsDiff, to: '/devices/compare/d1' },
    {
      label: 'Reboot Device',
      icon: IconRefresh,
      unavailable: 'The device has to be connected.',
      act: () => chosen.push('reboot'),
    },
    { label: 'Guest link', icon: IconUserShare, act: () => chosen.push('guest') },
  ],
];

/** In place of a view with a connection. */
function Web() {
  useEffect(() => {
    mounts.push('opened');
    return () => void mounts.push('closed');
  }, []);
  return <input aria-label="Typed into the page" />;
}

function open(address: string) {
  new FakeHub();
  const element = (
    <SessionContext value={person()}>
      <DeviceViews
        device={device({ ssh_enable: 'No' })}
        head={<h1>Greenhouse</h1>}
        overview={<p>Facts</p>}
        actions={actions}
        web={Web}
      />
    </SessionContext>
  );
  return show([{ path: '/devices/:account/:id', element }], `/devices/a1/d1${address}`);
}

const tab = (name: RegExp) => screen.getByRole('link', { name });
const current = () => within(screen.getByRole('navigation')).getByRole('link', { current: 'page' });
const press = (code: string) => fireEvent.keyDown(document.body, { code, ctrlKey: true, shiftKey: true });

beforeEach(() => {
  mounts = [];
  chosen = [];
});

it('a view stays open while others are shown, until it is closed', async () => {
  const router = open('?tab=web');
  await userEvent.type(await screen.findByLabelText('Typed into the page'), 'kept');
  await userEvent.click(tab(/^Overview/));
  expect(await screen.findByText('Facts')).toBeInTheDocument();
  await userEvent.click(tab(/^Terminal/));
  expect(await screen.findByText('The console of this device is switched off.')).toBeInTheDocument();
  expect(router.state.location.search).toBe('?tab=terminal');
  await userEvent.click(tab(/^Web service/));
  expect(screen.getByLabelText('Typed into the page')).toHaveValue('kept');
  expect(mounts).toEqual(['opened']);
  await userEvent.click(screen.getByRole('button', { name: 'Close Web service' }));
  await waitFor(() => expect(mounts).toEqual(['opened', 'closed']));
  expect(router.state.location.search).toBe('?tab=terminal');
});

it('terminals are added, split and closed by button, each in the address', async () => {
  const router = open('');
  expect(screen.queryByRole('button', { name: 'Split below' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'New terminal' }));
  await waitFor(() => expect(current()).toHaveTextContent('Terminal 2'));
  await userEvent.click(screen.getByRole('button', { name: 'Split below' }));
  await waitFor(() => expect(router.state.location.search).toBe('?tab=terminal-2&split=below'));
  expect(screen.getByRole('button', { name: 'Split below' })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(tab(/^Desktop$/));
  await waitFor(() => expect(current()).toHaveTextContent('Desktop'));
  expect(tab(/^Terminal 2/)).toHaveAttribute('href', expect.stringContaining('tab=terminal-2&split=below'));
  await userEvent.click(screen.getByRole('button', { name: 'Close Terminal 2' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Terminal 2/ })).not.toBeInTheDocument());
});

it('terminals and their splits are found again after a reload of the page', async () => {
  sessionStorage.setItem('warren.views.d1', '1 4:right');
  open('');
  expect(tab(/^Terminal 4/)).toHaveAttribute('href', expect.stringContaining('split=right'));
  expect(screen.queryByRole('button', { name: 'Close Terminal' })).not.toBeInTheDocument();
});

it('shortcuts step through the views, add and split terminals, and leave keys of a desktop to the device', async () => {
  const router = open('');
  press('Period');
  await waitFor(() => expect(router.state.location.search).toBe('?tab=terminal'));
  press('KeyE');
  await waitFor(() => expect(router.state.location.search).toBe('?tab=terminal&split=right'));
  press('KeyS');
  await waitFor(() => expect(router.state.location.search).toBe('?tab=terminal-2'));
  press('Comma');
  await waitFor(() => expect(router.state.location.search).toBe('?tab=terminal&split=right'));
  const desktop = document.createElement('div');
  desktop.dataset['deviceKeys'] = '';
  document.body.append(desktop);
  fireEvent.keyDown(desktop, { code: 'Period', ctrlKey: true, shiftKey: true });
  desktop.remove();
  expect(router.state.location.search).toBe('?tab=terminal&split=right');
});

it('the view that was unseen for longest is closed to bound memory, with a notice', async () => {
  sessionStorage.setItem('warren.views.d1', '1 2 3 4 5 6');
  open('?tab=web');
  await screen.findByLabelText('Typed into the page');
  for (const number of [2, 3, 4, 5, 6]) await userEvent.click(tab(new RegExp(`^Terminal ${number}`)));
  expect(mounts).toEqual(['opened']);
  await userEvent.click(tab(/^Terminal(?! \d)/));
  await waitFor(() => expect(mounts).toEqual(['opened', 'closed']));
  expect(screen.getByText(/^Web service was closed here: a page keeps at most 6 views open/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/was closed here/)).not.toBeInTheDocument();
});

it('a phone has what the head and the tools of the tabs do in one menu', async () => {
  const router = open('?tab=terminal');
  const menu = screen.getByRole('button', { name: 'Actions for Greenhouse' });
  const items = async () => {
    await userEvent.click(menu);
    return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  };
  const item = (name: RegExp) => screen.findByRole('menuitem', { name });
  expect(await items()).toEqual([
    'Compare',
    'Reboot DeviceThe device has to be connected.',
    'Guest link',
    'New terminal',
    'Split below',
    'Close Terminal',
  ]);
  expect(await item(/^Compare/)).toHaveAttribute('href', '/devices/compare/d1');
  expect(await item(/^Reboot/)).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(await item(/^Reboot/));
  expect(chosen).toEqual([]);
  await userEvent.click(await item(/^Guest link/));
  expect(chosen).toEqual(['guest']);
  expect(menu).toHaveFocus();
  await items();
  await userEvent.click(await item(/^Split below/));
  await waitFor(() => expect(router.state.location.search).toBe('?tab=terminal&split=below'));
  expect(await items()).not.toContain('Split below');
  await userEvent.click(await item(/^New terminal/));
  await waitFor(() => expect(current()).toHaveTextContent('Terminal 2'));
  expect(await items()).toContain('Close Terminal 2');
  await userEvent.click(await item(/^Close Terminal 2/));
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Terminal 2/ })).not.toBeInTheDocument());
});
