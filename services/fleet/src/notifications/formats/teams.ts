import { alertsUrl, exampleText, headingOf, introductionOf, moreOf, type Group, type Message } from './content.ts';

/** Text runs, unlike text blocks, show Markdown as it is: no name becomes a link. */
const runs = (text: string, style: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...style }],
});

/** A message as the trigger "When a Teams webhook request is received" of Workflows takes it: an Adaptive Card in an attachment. */
export function teamsPayload({ title, content }: Pick<Message, 'title' | 'content'>, hub: string): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      runs(title, { size: 'Medium', weight: 'Bolder' }),
      ...introductionOf(content).map((line) => runs(line)),
      ...content.groups.flatMap(groupBlocks),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'View alerts', url: alertsUrl(hub) }],
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

function groupBlocks(group: Group): object[] {
  const more = moreOf(group);
  return [
    { ...runs(headingOf(group), { weight: 'Bolder' }), separator: true },
    ...group.examples.map((example) => runs(exampleText(example))),
    ...(more ? [runs(more, { isSubtle: true })] : []),
  ];
}
