import escapeHtml from 'escape-html';
import type { InvitationRow } from './invitation.row.ts';
import type { Letter } from '@warren/platform/mail/mailer';

type Invited = Pick<InvitationRow, 'email' | 'account_id' | 'account_name' | 'group_name' | 'inviter'>;

/** The data of an invitation's mail; `token` is the secret in its links, `hub` their origin. */
export interface LetterInput extends Invited {
  hub: string;
  token: string;
}

/** The links of an invitation: to accept it, and to sign up first (decisions, 'People and access'). */
export function invitationLinks({ hub, email, account_id: account, token }: LetterInput) {
  const query = new URLSearchParams({ email, account, token });
  return { accept: `${hub}/accept_invitation?${query}`, signUp: `${hub}/signup-user?${query}` };
}

/** The mail that invites a person into an account. */
export function invitationLetter(input: LetterInput): Letter {
  const { account_name: account, group_name: group, inviter, email, hub } = input;
  const who = inviter === '' ? 'You are' : `${inviter} has`;
  const invited = inviter === '' ? 'invited' : 'invited you';
  const first = `${who} ${invited} to join ${account} on Warren, in the group ${group}.`;
  const last = `The invitation is for ${email}, good for 7 days, and works once. If you did not expect it, ignore this mail.`;
  const links = invitationLinks(input);
  const text = [
    first,
    `Accept the invitation:\n${links.accept}`,
    `New here? Sign up first:\n${links.signUp}`,
    last,
    `Warren, ${hub}`,
  ];
  return {
    to: email,
    subject: `Join ${account} on Warren`,
    text: `${text.join('\n\n')}\n`,
    html: html(input, first, last),
  };
}

function html(input: LetterInput, first: string, last: string): string {
  const { accept, signUp } = invitationLinks(input);
  const button =
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1f6f54;color:#ffffff;text-decoration:none';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Invitation</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1f1d">
<p>${escapeHtml(first)}</p>
<p><a href="${escapeHtml(accept)}" style="${button}">Accept the invitation</a></p>
<p>New here? <a href="${escapeHtml(signUp)}">Sign up first</a>.</p>
<p style="color:#5b635f">${escapeHtml(last)}</p>
<p style="color:#5b635f">Warren, <a href="${escapeHtml(input.hub)}">${escapeHtml(input.hub)}</a></p>
</body>
</html>
`;
}
