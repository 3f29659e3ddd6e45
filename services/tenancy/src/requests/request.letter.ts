import type { Letter } from '@warren/platform/mail/mailer';
import escapeHtml from 'escape-html';
import type { AccessMail } from './mails.sql.ts';

/** The data of a mail; `hub` is the origin of its link. */
export type LetterInput = AccessMail & { hub: string };

interface Content {
  subject: string;
  lines: string[];
  link: string;
}

/** Writes the mail to an approver that somebody asks for access, or to the requester about the outcome. */
export function requestLetter(input: LetterInput): Letter {
  const { subject, lines, link } = input.kind === 'asked' ? asked(input) : ended(input);
  const url = `${input.hub}/requests/${input.account_id}?${new URLSearchParams({ request: input.request_id })}`;
  const text = [...lines, `${link}:\n${url}`, `Warren, ${input.hub}`];
  const messageId = `<${input.id}@${new URL(input.hub).hostname}>`;
  return {
    to: input.email,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: html({ subject, lines, link }, url),
    messageId,
  };
}

/** Formats minutes for people: `45 minutes`, `8 hours`, `2 days`. */
export function durationText(minutes: number): string {
  const [count, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function asked(input: LetterInput): Content {
  const { user_name: who, account_name: account, reason, minutes } = input;
  return {
    subject: `${who} asks for access to ${devicesOf(input)}`,
    lines: [
      `${who} asks for ${mayOf(input)} on ${devicesOf(input)} of ${account}, for ${durationText(minutes)}.`,
      `Reason: ${reason}`,
    ],
    link: 'Approve or deny the request',
  };
}

function ended(input: LetterInput): Content {
  const { state, decided_by: by, note, grant_expires: until } = input;
  const what = `${mayOf(input)} on ${devicesOf(input)} of ${input.account_name}`;
  const said = note ? [`${by} says: ${note}`] : [];
  if (state === 'approved')
    return {
      subject: 'Your access request was approved',
      lines: [`${by} approved your request for ${what}. It lasts until ${until?.toUTCString() ?? ''}.`, ...said],
      link: 'Show the request',
    };
  if (state === 'denied')
    return {
      subject: 'Your access request was denied',
      lines: [`${by} denied your request for ${what}.`, ...said],
      link: 'Show the request',
    };
  return {
    subject: 'Your access request expired',
    lines: [`Nobody decided about your request for ${what} in time. Ask again if you still need it.`],
    link: 'Show the request',
  };
}

function devicesOf({ device_name: device, filter }: LetterInput): string {
  if (device) return device;
  return filter ? `the devices of ${filter}` : 'all devices';
}

function mayOf({ permissions }: LetterInput): string {
  const more = permissions.filter((name) => name !== 'view');
  return (more.length > 0 ? more : permissions).join(', ');
}

function html({ subject, lines, link }: Content, url: string): string {
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1f1d">
${paragraphs}
<p><a href="${escapeHtml(url)}">${escapeHtml(link)}</a></p>
</body>
</html>
`;
}
