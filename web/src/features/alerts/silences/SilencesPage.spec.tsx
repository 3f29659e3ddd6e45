import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { silence } from '../../../testing/alerts.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { SilencesPage } from './SilencesPage.tsx';
import { endOf } from './SilenceForm.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' }, permissions: ['alerts.manage'] } as never);

let hub: FakeHub;
let silences = [silence()];

beforeEach(() => {
  silences = [silence()];
  hub = new FakeHub()
    .on(/^\/api\/alert-silences$/, () => ({ body: { silences } }))
    .on(/^\/api\/alert-silences\/s1$/, () => ({ body: { msg: 'done' } }))
    .on(/^\/api\/labels$/, () => ({ body: { labels: [] } }));
});

function open(session: Session = owner) {
  const element = (
    <SessionContext value={session}>
      <SilencesPage />
    </SessionContext>
  );
  return show([{ path: '/alerts/silences', element }], '/alerts/silences');
}

it('silences devices for a time, with a reason', async () => {
  silences = [];
  open();
  const user = userEvent.setup();
  await user.click((await screen.findAllByRole('button', { name: 'New silence' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'New silence' }));
  await user.click(dialog.getByRole('button', { name: 'Silence devices' }));
  expect(dialog.getByText('Enter a reason.')).toBeInTheDocument();
  await user.type(dialog.getByRole('combobox', { name: /^Devices/ }), 'site=north');
  await user.click(dialog.getByRole('combobox', { name: 'For' }));
  await user.click(await screen.findByRole('option', { name: '1 day' }));
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'New switch');
  await user.click(dialog.getByRole('button', { name: 'Silence devices' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const body = hub.lastBody('/api/alert-silences') as { until: string };
  expect(body).toMatchObject({ account: ACCOUNT, filter: 'site=north', reason: 'New switch' });
  expect(Math.abs(Date.parse(body.until) - Date.now() - 86_400_000)).toBeLessThan(60_000);
});

it('ends a silence', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'End the silence of site=north' }));
  await waitFor(() => expect(hub.sent).toContain('DELETE /api/alert-silences/s1'));
});

it('shows silences to those who may not end them', async () => {
  open(person());
  expect(await screen.findByRole('cell', { name: 'The pump house moves' })).toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

it.each([
  ['1h', '', 3_600_000],
  ['until', '2026-03-04T12:00:00Z', Date.parse('2026-03-04T12:00:00Z')],
  ['until', '', NaN],
  ['until', '1960-01-01T00:00', NaN],
] as const)('ends after %s %s', (choice, typed, end) => {
  expect(endOf(choice, typed, 0)).toBe(end);
});
