import { beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { SignInDoctorPage } from './SignInDoctorPage.tsx';

const failure = {
  id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
  time: '2026-11-01T10:00:00.000Z',
  provider: 'work',
  provider_name: 'Work',
  protocol: 'oidc',
  email: 'ada@work.test',
  kind: 'unverified',
  check: 'The provider says that the person owns the e-mail address.',
  mend: 'Verify the address at the provider.',
  reason: 'email_verified is missing',
  received: { idTokenClaims: ['sub', 'email'] },
  remote_address: '192.0.2.7',
  user_agent: '',
  request_id: 'r-1',
};
const providers = [
  { id: 'work', name: 'Work', protocol: 'oidc', usable: true },
  { id: 'school', name: 'School', protocol: 'saml', usable: false },
];

let hub: FakeHub;
beforeEach(() => {
  hub = new FakeHub().on(/sign_in_failures/, () => ({ body: { failures: [failure], next: failure.id, providers } }));
});

const open = () =>
  show(
    [
      {
        path: '/sign-in-doctor',
        element: (
          <SessionContext value={person({ group: { id: 'g', role: 'Owner' } as never })}>
            <SignInDoctorPage />
          </SessionContext>
        ),
      },
    ],
    '/sign-in-doctor',
  );

it('shows the failed check, what mends it and what was received', async () => {
  open();
  const list = await screen.findByRole('region', { name: 'Refused sign-ins' });
  expect(await within(list).findByRole('heading', { name: 'ada@work.test' })).toBeInTheDocument();
  expect(within(list).getByText(failure.check)).toBeInTheDocument();
  expect(within(list).getByText(failure.mend)).toBeInTheDocument();
  expect(within(list).getByText(/idTokenClaims/)).toBeInTheDocument();
});

it('asks for one provider, and for older entries', async () => {
  open();
  const user = userEvent.setup();
  await user.selectOptions(
    await screen.findByLabelText('Provider'),
    await screen.findByRole('option', { name: 'Work' }),
  );
  await screen.findByRole('heading', { name: 'ada@work.test' });
  expect(hub.lastQuery('/api/sign_in_failures')).toEqual({ limit: '20', provider: 'work' });
  await user.click(screen.getByRole('button', { name: 'Older' }));
  await screen.findByRole('button', { name: 'Newest' });
  expect(hub.lastQuery('/api/sign_in_failures')).toMatchObject({ before: failure.id });
});

it('offers trials of the providers that can be reached', async () => {
  open();
  expect(await screen.findByRole('button', { name: 'Try a sign-in: Work' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'Try a sign-in: School' })).toBeDisabled();
  expect(screen.getByText('SAML · Not reachable now')).toBeInTheDocument();
});
