import { describe, expect, it } from '@jest/globals';
import { messages } from './messages.ts';

/** The texts that the specification quotes, as it quotes them. */
describe('the message catalogue', () => {
  it.each([
    [
      messages.notices.accountIssue,
      "You are not associated with any account or you don't have any role set. Please contact your administrator.",
    ],
    [
      messages.notices.accountDisabled,
      'Your account has been deactived or disabled. if you belive this is a mistake please contact administrator.',
    ],
    [messages.notices.tryAgain, 'Try again'],
    [messages.notices.lost, "UH OH! You're lost."],
    [messages.notices.home, 'HOME'],
    [messages.devices.allTitle, 'ALL Accounts / Devices list'],
    [messages.devices.accountTitle('Acme'), 'Acme Account / Devices list'],
    [messages.devices.empty, 'No devices found.'],
    [messages.details.loading, 'Fetching device details...'],
    [messages.details.failed, 'Failed to fetch device details'],
    [messages.terminal.connecting, 'Connecting to the server…'],
    [messages.terminal.error, 'Unable to connect to the server.'],
    [messages.terminal.fail('pump'), 'Unable to connect pump. Please try again later.'],
    [messages.terminal.disconnected('pump'), 'Disconnected from pump'],
    [messages.terminal.reconnect, 'Reconnect'],
    [messages.common.noResponse, 'No response received from server.'],
    [messages.common.failed('x'), 'Error: x'],
    [messages.groups.empty, 'No groups found.'],
    [messages.users.empty, 'No users found.'],
    [messages.accounts.pending, 'Pending Invitation'],
    [messages.user.editProfile, 'Edit Profile'],
  ])('says %j', (shown, quoted) => {
    expect(shown).toBe(quoted);
  });
});
