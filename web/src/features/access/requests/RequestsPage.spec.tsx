import { beforeEach, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { recentSignIn } from '../../../lib/recent-sign-in.ts';
import type { Device } from '../../../lib/api/types.ts';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { AskDialog } from '../../../ui/AskForAccess.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { RequestsPage } from './RequestsPage.tsx';

const requests = `/api/accounts/${ACCOUNT}/access/requests`;
const member = person({ access_requests: true });
const open = {
  id: 'q1',
  requester: { id: 'max', name: 'Max Field', email: 'max@example.org' },
  permissions: ['view', 'terminal'],
  filter: 'id=d1',
  device: { id: 'd1', name: 'pump-7' },
  reason: 'The pump stops',
  minutes: 60,
  state: 'open',
  created: '2026-03-04T10:00:00.000Z',
  expires: '2026-03-05T10:00:00.000Z',
  ended: null,
  decisions: [],
  approvals_needed: 1,
  grant: null,
  grant_expires: null,
  decidable: true,
};
const rules = {
  requests: true,
  longest_minutes: 120,
  terminal_pin_days: 7,
  observe_terminals: false,
  approver_group: null,
  approver_group_name: '',
  second_approver: false,
  recent_sign_in: { minutes: 15, terminals: false, manage: false, grants: false },
};

let hub: FakeHub;
let listed: object[];

beforeEach(() => {
  listed = [open];
  hub = new FakeHub()
    .on(/\/requests$/, (_url, request) =>
      request.method === 'POST'
        ? { status: 201, body: { msg: 'done', result: open } }
        : { body: { total: listed.length, to_decide: listed.length, requests: listed } },
    )
    .on(/\/requests\/q1\/(approve|deny|withdraw)$/, () => ({ body: { msg: 'done', result: open } }))
    .on(/\/access\/rules$/, () => ({ body: rules }))
    .on(/^\/api\/labels$/, () => ({ body: { labels: [] } }));
});

function visit(query = '', session: Session = member) {
  const element = (
    <SessionContext value={session}>
      <RequestsPage />
    </SessionContext>
  );
  return show([{ path: '/requests/:account_id', element }], `/requests/${ACCOUNT}${query}`);
}

it('approves a request for a shorter time, with a note', async () => {
  const router = visit();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Decide: the request of Max Field' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide about a request' }));
  expect(router.state.location.search).toBe('?request=q1');
  expect(dialog.getByText('Max Field asks for terminal on pump-7.')).toBeInTheDocument();
  await user.click(dialog.getByRole('combobox', { name: 'Approve for' }));
  await user.click(await screen.findByRole('option', { name: '30 minutes' }));
  await user.type(dialog.getByRole('textbox', { name: /^Note/ }), 'Half an hour');
  await user.click(dialog.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(hub.lastBody(`${requests}/q1/approve`)).toEqual({ minutes: 30, note: 'Half an hour' });
});

it('opens the request of the address, and asks for a recent sign-in where the hub does', async () => {
  const body = { statusCode: 403, code: 'recent_sign_in_required', message: 'Sign in again: this needs a sign-in.' };
  hub.on(/\/q1\/deny$/, () => ({ status: 403, body }));
  const want = jest.spyOn(recentSignIn, 'want');
  visit('?request=q1');
  const user = userEvent.setup();
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide about a request' }));
  await user.click(dialog.getByRole('button', { name: 'Deny' }));
  expect(await dialog.findByText('this needs a sign-in.')).toBeInTheDocument();
  expect(want).toHaveBeenCalledWith(true);
});

it('lets people withdraw their own', async () => {
  listed = [{ ...open, decidable: false, requester: { id: member.user, name: 'Ada Brown', email: 'ada@example.org' } }];
  visit();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Actions for the request of Ada Brown' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Withdraw request' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw request' }));
  await user.click(dialog.getByRole('button', { name: 'Withdraw request' }));
  await waitFor(() => expect(hub.sent).toContain(`POST ${requests}/q1/withdraw`));
});

function AskFor({ subject }: { subject: Device }) {
  const dialog = useDialog<Device>();
  return (
    <>
      <button onClick={() => dialog.open(subject)}>Ask for access</button>
      <AskDialog control={dialog} />
    </>
  );
}

it('asks for what is missing on a device, up to the longest time of the account', async () => {
  const element = (
    <SessionContext value={member}>
      <AskFor subject={device({ permissions: ['view', 'web'] })} />
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Ask for access' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask for access' }));
  expect(dialog.getAllByRole('checkbox')).toHaveLength(3);
  await user.click(dialog.getByRole('button', { name: 'Send request' }));
  expect(dialog.getByText('Enter a reason.')).toBeInTheDocument();
  await user.click(dialog.getByRole('combobox', { name: 'For' }));
  expect(await screen.findByRole('option', { name: '2 hours' })).toBeInTheDocument();
  expect(screen.queryByRole('option', { name: '4 hours' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('option', { name: '30 minutes' }));
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'The pump stops');
  await user.click(dialog.getByRole('button', { name: 'Send request' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(hub.lastBody(requests)).toEqual({
    device: 'd1',
    permissions: ['terminal'],
    reason: 'The pump stops',
    minutes: 30,
  });
});
