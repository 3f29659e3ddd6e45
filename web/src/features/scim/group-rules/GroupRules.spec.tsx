import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { GroupRules } from './GroupRules.tsx';

const PATH = `/api/accounts/${ACCOUNT}/group_rules`;
const [ENGINEERS, CREW] = [
  { id: 'g1', name: 'Engineers' },
  { id: 'g2', name: 'Field crew' },
];
const rule = (id: string, value: string, more: object = {}) => ({
  id,
  provider: 'work',
  provider_name: 'Work',
  value,
  group: ENGINEERS,
  users: 0,
  problem: null,
  ...more,
});
const ENG = rule('r1', 'eng', { users: 2 });
const CREW_RULE = rule('r2', 'crew', { group: CREW });
const providers = [{ id: 'work', name: 'Work', protocol: 'oidc', source: 'groups' }];
const LIST = { version: 'v1', providers, groups: [ENGINEERS, CREW], members_provisioned: false };
const setting = (...rules: (typeof ENG)[]) => ({
  version: 'v1',
  rules: rules.map(({ provider, value, group }) => ({ provider, value, group: group.id })),
});

let hub: FakeHub;
let listed: object;

beforeEach(() => {
  listed = { ...LIST, rules: [ENG, CREW_RULE] };
  hub = new FakeHub().on(/\/group_rules$/, () => ({ body: { msg: 'done', ...listed } }));
});

function open() {
  show([{ path: '/', element: <GroupRules account={ACCOUNT} /> }], '/');
  return userEvent.setup();
}

it('adds a rule behind the others, and says what is missing or taken', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Add group rule' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add group rule' }));
  const value = dialog.getByRole('textbox', { name: /^Group at the provider/ });
  expect(value).toHaveAccessibleDescription(/“groups”/);
  await user.click(dialog.getByRole('button', { name: 'Add rule' }));
  expect(dialog.getByText('Choose a group.')).toBeInTheDocument();
  await user.type(value, 'eng');
  expect(dialog.getByText('There is a rule for this group.')).toBeInTheDocument();
  await user.clear(value);
  await user.type(value, ' ops ');
  await user.click(dialog.getByRole('combobox', { name: /^Warren group/ }));
  await user.click(await screen.findByRole('option', { name: 'Field crew' }));
  await user.click(dialog.getByRole('button', { name: 'Add rule' }));
  expect(hub.lastBody(PATH)).toEqual(setting(ENG, CREW_RULE, { ...ENG, value: 'ops', group: CREW }));
});

it('moves a rule, against the list that was read', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Actions for crew' }));
  expect(screen.queryByRole('menuitem', { name: 'Move down' })).not.toBeInTheDocument();
  await user.click(await screen.findByRole('menuitem', { name: 'Move up' }));
  await waitFor(() => expect(hub.lastBody(PATH)).toEqual(setting(CREW_RULE, ENG)));
});

it('names the users whom the removal of a rule moves', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Actions for eng' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove group rule' }));
  expect(dialog.getByText(/group eng no longer maps to Engineers/)).toBeInTheDocument();
  expect(dialog.getByText(/2 users move from Engineers to Members/)).toBeInTheDocument();
  listed = { ...LIST, rules: [CREW_RULE], version: 'v2' };
  await user.click(dialog.getByRole('button', { name: 'Remove group rule' }));
  expect(await screen.findByRole('button', { name: 'Actions for crew' })).toBeInTheDocument();
  expect(hub.lastBody(PATH)).toEqual(setting(CREW_RULE));
});

it('says why rules do nothing, that no provider may be named, and that SCIM provisions Members', async () => {
  const broken = [
    rule('r1', 'eng', { problem: 'provisioned' }),
    rule('r2', 'old', { problem: 'provider', provider: 'gone', provider_name: '' }),
  ];
  listed = { ...LIST, rules: broken, providers: [], groups: [], members_provisioned: true };
  open();
  expect((await screen.findAllByText(/SCIM provisions this group now/)).length).toBeGreaterThan(0);
  expect(screen.getAllByText(/signs in nobody of the account/).length).toBeGreaterThan(0);
  expect(screen.getByText(/SCIM provisions Members/)).toBeInTheDocument();
  expect(screen.getByText('gone')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Add group rule' })).toBeDisabled();
});
