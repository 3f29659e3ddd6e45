import { beforeEach, describe, expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SavedFilter } from '../../../lib/api/types.ts';
import { SessionContext } from '../../../lib/session.ts';
import type { Session } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { theme } from '../../../ui/theme.ts';
import { DevicesPage } from '../DevicesPage.tsx';

let hub: FakeHub;
let views: SavedFilter[];

const view = (change: Partial<SavedFilter> = {}): SavedFilter => ({
  id: 'v1',
  name: 'Hot',
  filter: 'temperature>70',
  scope: 'person',
  account: null,
  sort: 'temperature',
  order: 'desc',
  columns: ['temperature', 'label:site'],
  key: null,
  uses: null,
  ...change,
});

beforeEach(() => {
  notifications.clean();
  const shared = { scope: 'account', account: ACCOUNT, key: 'north' } as const;
  views = [view(), view({ id: 'v2', name: 'North', filter: 'site=north', ...shared })];
  hub = new FakeHub()
    .on(/^\/api\/devices$/, () => ({ body: { total: 1, devices: [device({ labels: { site: 'north' } })] } }))
    .on(/^\/api\/labels$/, () => ({ body: { labels: [] } }))
    .on(/^\/api\/filters$/, (url, { method }) => {
      if (method === 'POST') return { status: 201, body: { msg: '', result: view({ id: 'v3' }) } };
      const all = [
        { kind: 'grant', id: 'g1', name: 'Ann' } as const,
        { kind: 'saved_filter', id: 'v3', name: 'Far' } as const,
      ];
      const uses = url.searchParams.get('uses') === 'true' ? all : null;
      return { body: { filters: views.map((one) => (one.key === null ? one : { ...one, uses })) } };
    })
    .on(/^\/api\/filters\/v1$/, (_url, { method }) => {
      if (method === 'DELETE') views = views.filter(({ id }) => id !== 'v1');
      return { body: { msg: '', result: view() } };
    });
});

function open(query = '', session: Session = person()) {
  const element = (
    <SessionContext value={session}>
      <DevicesPage />
    </SessionContext>
  );
  return show([{ path: '/devices/:account_id', element }], `/devices/${ACCOUNT}${query}`);
}

const labeller = () => person({ permissions: ['devices.label'] as never });
const query = (router: ReturnType<typeof open>) =>
  Object.fromEntries(new URLSearchParams(router.state.location.search));
const menuButton = (name: string | RegExp) => screen.findByRole('button', { name });

describe('saved views', () => {
  it('are opened from the menu: filter, order and columns are in the address', async () => {
    const router = open('?search=pump&page=3');
    const user = userEvent.setup();
    await user.click(await menuButton('Views'));
    await user.click(await screen.findByRole('menuitem', { name: 'Hot' }));
    expect(query(router)).toEqual({
      view: 'v1',
      filter: 'temperature>70',
      sort: 'temperature',
      order: 'desc',
      columns: 'temperature,label:site',
    });
    expect(await menuButton('View Hot')).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: 'site' })).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'north' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^(Save|Update) view$/ })).not.toBeInTheDocument();
  });

  it('are saved for oneself, and the address has the new one', async () => {
    const router = open('?filter=cpu%3E80&sort=cpu&order=desc&columns=cpu');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Save view' }));
    const dialog = await screen.findByRole('dialog', { name: 'Save view' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), ' Busy ');
    expect(within(dialog).queryByRole('radio')).not.toBeInTheDocument();
    await user.click(within(dialog).getByRole('button', { name: 'Save view' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/filters')).toEqual({
        name: 'Busy',
        filter: 'cpu>80',
        sort: 'cpu',
        order: 'desc',
        columns: ['cpu'],
        scope: 'person',
      }),
    );
    await waitFor(() => expect(query(router)).toMatchObject({ view: 'v3', filter: 'cpu>80' }));
  });

  it('are shared by those who may label devices', async () => {
    open('?filter=cpu%3E80', labeller());
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Save view' }));
    const dialog = await screen.findByRole('dialog', { name: 'Save view' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Busy');
    await user.click(within(dialog).getByRole('radio', { name: 'Everybody who sees the devices of Northwind' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save view' }));
    await waitFor(() => expect(hub.lastBody('/api/filters')).toMatchObject({ scope: 'account', account: ACCOUNT }));
  });

  it('are updated once they differ', async () => {
    open('?view=v1&filter=temperature%3E80&sort=temperature&order=desc&columns=temperature,label:site');
    const user = userEvent.setup();
    expect(await menuButton('View Hot, changed')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Update view' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/filters/v1')).toMatchObject({ name: 'Hot', filter: 'temperature>80' }),
    );
  });

  it('of an account are changed by those who may alone', async () => {
    open('?view=v2&filter=site%3Dsouth');
    const user = userEvent.setup();
    await user.click(await menuButton('View North, changed'));
    expect(await screen.findByRole('menuitem', { name: 'North' })).toBeInTheDocument();
    expect(screen.queryByRole('menuitem', { name: 'Delete North' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Save view' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Update view' })).not.toBeInTheDocument();
  });

  it('of an account say how filters name them, and what does, and lead there', async () => {
    views.push(view({ id: 'v3', name: 'Far', filter: 'in:north x=y', scope: 'account', account: ACCOUNT, key: 'far' }));
    const router = open('?view=v2&filter=site%3Dnorth');
    const user = userEvent.setup();
    await user.click(await menuButton(/^View North/));
    await user.click(await screen.findByRole('menuitem', { name: 'Show uses of North…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Uses of the view' }));
    expect(dialog.getByText('in:north')).toBeInTheDocument();
    expect(await dialog.findByRole('link', { name: 'Grant Ann' })).toHaveAttribute('href', `/access/${ACCOUNT}`);
    await user.click(dialog.getByRole('link', { name: 'View Far' }));
    await waitFor(() => expect(query(router)).toMatchObject({ view: 'v3', filter: 'in:north x=y' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('of an account are proposed by name, and are in the filter by key', async () => {
    const router = open();
    const user = userEvent.setup();
    const box = await screen.findByRole('combobox', { name: /Search/ });
    await user.click(box);
    await user.type(box, 'Nor');
    await user.click(await screen.findByRole('option', { name: /in:north/ }));
    await waitFor(() => expect(query(router)).toMatchObject({ filter: 'in:north' }));
  });

  it('are not proposed where the hub refuses them: an empty one, and one that names others', async () => {
    const shared = { scope: 'account', account: ACCOUNT } as const;
    views.push(view({ id: 'v3', name: 'Northmost', filter: 'in:north x=y', key: 'northmost', ...shared }));
    views.push(view({ id: 'v4', name: 'North or south', filter: '', key: 'all', ...shared }));
    open();
    const user = userEvent.setup();
    const box = await screen.findByRole('combobox', { name: /Search/ });
    await user.type(box, 'in:');
    expect(await screen.findByRole('option', { name: /in:north/ })).toHaveTextContent('in:northNorth');
    expect(screen.getAllByRole('option')).toHaveLength(1);
  });

  it('are renamed, and keep what they show', async () => {
    open('?view=v1&filter=cpu%3E80');
    const user = userEvent.setup();
    await user.click(await menuButton(/^View Hot/));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename Hot…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename view' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    expect(dialog.getByRole('button', { name: 'Rename view' })).toBeDisabled();
    await user.clear(name);
    await user.type(name, 'Too hot');
    await user.click(dialog.getByRole('button', { name: 'Rename view' }));
    const { filter, sort, order, columns } = view();
    await waitFor(() =>
      expect(hub.lastBody('/api/filters/v1')).toEqual({ name: 'Too hot', filter, sort, order, columns }),
    );
  });

  it('are replaced by what the list shows, where one may', async () => {
    const router = open('?filter=cpu%3E80&columns=cpu');
    const user = userEvent.setup();
    await user.click(await menuButton('Views'));
    await user.click(await screen.findByRole('menuitem', { name: 'Replace a view…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Replace view' }));
    // The view that an account shares is not this person's to change.
    expect(dialog.getByRole('combobox', { name: 'View' })).toHaveValue('Hot');
    await user.click(dialog.getByRole('button', { name: 'Replace view' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/filters/v1')).toMatchObject({ name: 'Hot', filter: 'cpu>80', columns: ['cpu'] }),
    );
    await waitFor(() => expect(query(router)).toMatchObject({ view: 'v1', filter: 'cpu>80' }));
  });

  it('are deleted, and come back', async () => {
    const router = open('?view=v1&filter=temperature%3E70');
    const user = userEvent.setup();
    await user.click(await menuButton(/^View Hot/));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete Hot' }));
    await waitFor(() => expect(query(router)).toEqual({ filter: 'temperature>70' }));
    expect(hub.sent).toContain('DELETE /api/filters/v1');
    await waitFor(() => expect(notificationsStore.getState().notifications).toHaveLength(1));
    // Drawing a toast is Mantine's, and asks for what jsdom does not have.
    render(
      <MantineProvider theme={theme} env="test">
        {notificationsStore.getState().notifications[0]?.message}
      </MantineProvider>,
    );
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(hub.lastBody('/api/filters')).toMatchObject({ name: 'Hot', scope: 'person', filter: 'temperature>70' }),
    );
  });
});
