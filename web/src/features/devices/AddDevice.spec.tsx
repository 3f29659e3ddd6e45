import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AddDevice } from './AddDevice.tsx';

let hub: FakeHub;
let made = 0;

beforeEach(() => {
  made = 0;
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  hub = new FakeHub()
    .on(/^\/api\/enrolment_tokens$/, () => {
      made += 1;
      return { status: 201, body: { id: `t${made}`, token: `secret${made}`, expires, command: `install ${made}` } };
    })
    .on(/^\/api\/enrolment_tokens\/[^/]+\/t\d+$/, () => ({ body: { msg: 'done' } }));
});

function open() {
  show([{ path: '/', element: <AddDevice account={ACCOUNT} accountName="Northwind" /> }], '/');
  return userEvent.setup();
}

describe('the command that adds devices', () => {
  it('is revoked, and can be created again', async () => {
    const user = open();
    await screen.findByText('install 1');
    await user.click(screen.getByRole('button', { name: 'Revoke command' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This command was revoked. Make a new one.');
    expect(hub.sent).toContain(`DELETE /api/enrolment_tokens/${ACCOUNT}/t1`);
    expect(screen.getByRole('button', { name: 'Copy command' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Make command' }));
    await screen.findByText('install 2');
    expect(screen.getByRole('button', { name: 'Copy command' })).toBeEnabled();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('stays good when the hub does not revoke it', async () => {
    hub.on(/^\/api\/enrolment_tokens\/.+$/, () => ({ status: 503, body: { message: 'Unavailable: try again.' } }));
    const user = open();
    await screen.findByText('install 1');
    await user.click(screen.getByRole('button', { name: 'Revoke command' }));
    await waitFor(() => expect(hub.sent).toContain(`DELETE /api/enrolment_tokens/${ACCOUNT}/t1`));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Revoke command' })).toBeEnabled());
    expect(screen.getByRole('button', { name: 'Copy command' })).toBeEnabled();
  });
});
