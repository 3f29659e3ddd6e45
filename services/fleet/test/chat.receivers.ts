import type { ServerResponse } from 'node:http';
import { z } from 'zod';

/**
 * What Slack takes: https://docs.slack.dev/reference/block-kit/blocks and its pages of header, section, actions and button. `text` is cut
 * off after 40,000 characters.
 */
const plain = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(most), emoji: z.boolean().optional() });
const button = z.strictObject({ type: z.literal('button'), text: plain(75), url: z.url().max(3_000) });
const slackBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plain(150) }),
  z.strictObject({
    type: z.literal('section'),
    text: z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3_000) }),
  }),
  z.strictObject({ type: z.literal('actions'), elements: z.array(button).min(1).max(25) }),
]);
const textOf = (block: z.output<typeof slackBlock>) =>
  block.type === 'actions' ? block.elements.map(({ text }) => text.text).join('') : block.text.text;
/** Not documented: of blocks with more Slack says `msg_blocks_too_long` (https://github.com/slackapi/bolt-js/issues/2509). */
const MOST_IN_BLOCKS = 13_000;
export const slackMessage = z
  .strictObject({ text: z.string().min(1).max(40_000), blocks: z.array(slackBlock).min(1).max(50) })
  .refine(({ blocks }) => blocks.map(textOf).join('').length <= MOST_IN_BLOCKS, 'msg_blocks_too_long');

/** What Workflows and incoming webhooks of Teams take: an Adaptive Card that Teams shows, up to 1.5, in 28 KB. */
const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string(),
  size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
  isSubtle: z.boolean().optional(),
});
const richText = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(textRun).min(1),
  separator: z.boolean().optional(),
});
const openUrl = z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: z.url() });
const adaptiveCard = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.string().regex(/^1\.[0-5]$/),
  body: z.array(richText).min(1),
  // Teams shows six buttons.
  actions: z.array(openUrl).max(6),
  msteams: z.strictObject({ width: z.literal('Full') }),
});
export const TEAMS_BYTES = 28 * 1_024;
export const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: adaptiveCard,
      }),
    )
    .length(1),
});

/** Answers as Slack does. */
export function answerAsSlack(response: ServerResponse, body: string): void {
  const { success, error } = slackMessage.safeParse(parsed(body));
  response.writeHead(success ? 200 : 400, { 'content-type': 'text/html' });
  response.end(success ? 'ok' : error.issues.some(({ path }) => path[0] === 'text') ? 'no_text' : 'invalid_blocks');
}

/** Answers as a workflow of Teams does. */
export function answerAsTeams(response: ServerResponse, body: string): void {
  const fits = Buffer.byteLength(body) <= TEAMS_BYTES;
  response.writeHead(!fits ? 413 : teamsMessage.safeParse(parsed(body)).success ? 202 : 400).end();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
