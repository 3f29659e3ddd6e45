import type { Letter } from '@warren/platform/mail/mailer';
import escapeHtml from 'escape-html';
import { alertsUrl, exampleText, headingOf, introductionOf, moreOf, type Group, type Message } from './content.ts';

type Shown = Pick<Message, 'id' | 'title' | 'content'>;

/** A message as a mail. */
export function alertLetter({ id, title, content }: Shown, to: readonly string[], hub: string): Letter {
  const intro = introductionOf(content);
  const text = [...intro, ...content.groups.map(groupText), `View alerts:\n${alertsUrl(hub)}`, `Warren, ${hub}`];
  return {
    to,
    // A name with a line break would start another header.
    subject: `[Warren] ${title}`.replace(/\s+/g, ' '),
    text: `${text.join('\n\n')}\n`,
    html: html(title, intro, content.groups, hub),
    messageId: `<${id}@${new URL(hub).hostname}>`,
  };
}

function linesOf(group: Group): string[] {
  const more = moreOf(group);
  return [...group.examples.map(exampleText), ...(more ? [more] : [])];
}

function groupText(group: Group): string {
  return [headingOf(group), ...linesOf(group).map((line) => `- ${line}`)].join('\n');
}

function html(title: string, intro: readonly string[], groups: readonly Group[], hub: string): string {
  const block = (group: Group) => `<h2 style="font-size:16px;margin:20px 0 4px">${escapeHtml(headingOf(group))}</h2>
<ul style="margin:0;padding-left:20px">${linesOf(group)
    .map((line) => `<li>${escapeHtml(line)}</li>`)
    .join('')}</ul>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1f1d">
${intro.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
${groups.map(block).join('\n')}
<p><a href="${escapeHtml(alertsUrl(hub))}">View alerts</a></p>
<p style="color:#5b635f">Warren, <a href="${escapeHtml(hub)}">${escapeHtml(hub)}</a></p>
</body>
</html>
`;
}
