import { alertsUrl, exampleText, headingOf, introductionOf, moreOf, type Group, type Message } from './content.ts';

/** Characters that Slack takes in a header, and in the text of a section. */
const HEADER = 150;
const SECTION = 3_000;
/** In all sections: Slack refuses blocks with about 13,000 characters, which it does not document. */
const SECTIONS = 10_000;

/** Slack's control characters (https://docs.slack.dev/messaging/formatting-message-text): no name becomes a link or mentions anybody. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** A message as Slack's incoming webhooks take it: Block Kit, and a text for notifications. */
export function slackPayload({ title, content }: Pick<Message, 'title' | 'content'>, hub: string): object {
  const link = { type: 'button', text: plain('View alerts'), url: alertsUrl(hub) };
  return {
    text: escaped(title),
    blocks: [
      { type: 'header', text: plain(title.slice(0, HEADER).toWellFormed()) },
      ...introductionOf(content).map((line) => section(escaped(line))),
      ...content.groups.map((group) => section(groupText(group, Math.min(SECTION, SECTIONS / content.groups.length)))),
      { type: 'actions', elements: [link] },
    ],
  };
}

/** Lines until the section is full. */
function groupText(group: Group, most: number): string {
  const more = moreOf(group);
  const lines = [...group.examples.map((example) => `• ${escaped(exampleText(example))}`), ...(more ? [more] : [])];
  return lines.reduce(
    (text, line) => (text.length + line.length < most ? `${text}\n${line}` : text),
    `*${escaped(headingOf(group))}*`,
  );
}
