import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { rule } from '../../../testing/alerts.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { RulesPage } from './RulesPage.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' }, permissions: ['alerts.manage'] } as never);

let hub: FakeHub;

beforeEach(() => {
  hub = new FakeHub()
    .on(/^\/api\/alert-rules$/, () => ({
      body: {
        rules: [
          rule({ openAlerts: 3, minutes: 20 }),
          rule({ id: 'r2', name: 'Hot', kind: 'condition', condition: 'cpu>90', preset: null, filter: 'site=north' }),
        ],
      },
    }))
    .on(/^\/api\/alert-rules\/r\d$/, () => ({ body: { result: rule() } }))
    .on(/^\/api\/alert-rules\/preview$/, () => ({ body: { matching: 42, now: 3 } }))
    .on(/^\/api\/labels$/, () => ({ body: { labels: [] } }));
});

function open(session: Session = owner) {
  const element = (
    <SessionContext value={session}>
      <RulesPage />
    </SessionContext>
  );
  return show([{ path: '/alerts/rules', element }], '/alerts/rules');
}

const row = async (name: string) => (await screen.findByText(name)).closest('tr') as HTMLElement;

it('says in words when each rule opens an alert, and how many are open', async () => {
  open();
  expect(within(await row('Offline')).getByText('Offline for 20 minutes')).toBeInTheDocument();
  expect(within(await row('Hot')).getByText('cpu>90 for 10 minutes')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '3 alerts open, Offline' })).toHaveAttribute('href', '/alerts?rule=r1');
});

it('disables a rule', async () => {
  open();
  await userEvent.click(await screen.findByRole('switch', { name: 'Enable Offline' }));
  await waitFor(() => expect(hub.lastBody('/api/alert-rules/r1')).toEqual({ enabled: false }));
});

it('creates a rule from a sentence, and says what it matches', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = await screen.findByRole('dialog', { name: 'New rule' });
  await user.click(within(dialog).getByRole('button', { name: 'Create rule' }));
  expect(within(dialog).getByText('Enter a name.')).toBeInTheDocument();
  expect(within(dialog).getByText('Enter a condition.')).toBeInTheDocument();
  expect(hub.sent).not.toContain('POST /api/alert-rules');
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Busy');
  await user.type(within(dialog).getByRole('combobox', { name: /^Condition/ }), 'cpu>80');
  await user.type(within(dialog).getByRole('combobox', { name: /^Devices/ }), 'site=south');
  const amount = within(dialog).getByRole('textbox', { name: 'Time' });
  await user.clear(amount);
  await user.type(amount, '2');
  await user.click(within(dialog).getByRole('combobox', { name: 'Unit of the time' }));
  await user.click(await screen.findByRole('option', { name: 'hours' }));
  expect(await within(dialog).findByText('Matches 42 devices, 3 now.')).toBeInTheDocument();
  await user.click(within(dialog).getByRole('radio', { name: 'Critical' }));
  await user.click(within(dialog).getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/alert-rules'));
  expect(hub.lastBody('/api/alert-rules')).toMatchObject({
    account: ACCOUNT,
    name: 'Busy',
    kind: 'condition',
    condition: 'cpu>80',
    filter: 'site=south',
    minutes: 120,
    severity: 'critical',
  });
});

it('creates a rule over metrics, whose text is completed and whose span has bounds', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New rule' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Busy');
  await user.click(dialog.getByRole('combobox', { name: 'When' }));
  await user.click(await screen.findByRole('option', { name: 'A metric was too high or too low' }));
  const condition = dialog.getByRole('combobox', { name: /^Condition/ });
  await user.type(condition, 'cpu');
  await user.click(await screen.findByRole('option', { name: /^cpu\.avg/ }));
  await user.type(condition, '=80');
  await user.click(dialog.getByRole('button', { name: 'Create rule' }));
  expect(await dialog.findByText(/This is not a condition on metrics yet|cpu\.avg takes/)).toBeInTheDocument();
  await user.clear(condition);
  await user.type(condition, 'cpu.avg>80');
  const amount = dialog.getByRole('textbox', { name: 'Time' });
  await user.clear(amount);
  await user.type(amount, '3');
  expect(await dialog.findByText('Enter a time from 5 minutes to 1 day.')).toBeInTheDocument();
  await user.clear(amount);
  await user.type(amount, '45');
  await user.click(dialog.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/alert-rules'));
  expect(hub.lastBody('/api/alert-rules')).toMatchObject({ kind: 'metric', condition: 'cpu.avg>80', minutes: 45 });
});

it('says why the hub refuses the devices of a rule: below them, and at the field once it is saved', async () => {
  const message = 'The account has no shared view “nope”.';
  const refusal = {
    status: 400,
    body: {
      statusCode: 400,
      code: 'invalid_argument',
      message: `Invalid input (filter): ${message}`,
      errors: [{ field: 'filter', message }],
    },
  };
  hub
    .on(/^\/api\/alert-rules\/preview$/, () => refusal)
    .on(/^\/api\/alert-rules$/, (_url, { method }) => (method === 'POST' ? refusal : { body: { rules: [] } }));
  open();
  const user = userEvent.setup();
  await user.click((await screen.findAllByRole('button', { name: 'New rule' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'New rule' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Busy');
  await user.type(dialog.getByRole('combobox', { name: /^Condition/ }), 'cpu>80');
  const filter = dialog.getByRole('combobox', { name: /^Devices/ });
  await user.type(filter, 'in:nope');
  await waitFor(() => expect(dialog.getByRole('status')).toHaveTextContent(message));
  await user.click(dialog.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(filter).toHaveAccessibleDescription(expect.stringContaining(message)));
  expect(dialog.getAllByText(message)).toHaveLength(1);
  expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  await user.type(filter, 'x');
  expect(filter).not.toHaveAccessibleDescription(expect.stringContaining(message));
});

it('deletes rules, and resets default ones', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Actions for Offline' }));
  expect(await screen.findByRole('menuitem', { name: 'Reset to default' })).toBeInTheDocument();
  expect(screen.queryByRole('menuitem', { name: 'Delete rule' })).not.toBeInTheDocument();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for Hot' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete rule' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete rule' }));
  await waitFor(() => expect(hub.sent).toContain('DELETE /api/alert-rules/r2'));
});

it('shows rules to those who may not change them, without the means', async () => {
  open(person());
  expect(await screen.findByRole('switch', { name: 'Enable Offline' })).toBeDisabled();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

it('asks operator users for an account first', async () => {
  hub.on(/^\/api\/accounts$/, () => ({ body: { total: 0, accounts: [] } }));
  open(person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } } as never));
  expect(await screen.findByText('Choose an account')).toBeInTheDocument();
});
