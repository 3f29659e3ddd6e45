import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS } from '@warren/rules/alerts';
import { contentOf, titleOf, type Group } from '../src/notifications/formats/content.ts';
import { slackPayload } from '../src/notifications/formats/slack.ts';
import { teamsPayload } from '../src/notifications/formats/teams.ts';
import { slackMessage, TEAMS_BYTES, teamsMessage } from './chat.receivers.ts';

const HUB = 'https://hub.example.test';

/** Groups as long as they get, of one character. */
const groupsOf = (count: number, character: string): Group[] =>
  Array.from({ length: count }, (_, at) => ({
    ruleId: `rule-${at}`,
    ruleName: character.repeat(ALERT_LIMITS.name),
    kind: at % 2 === 0 ? 'opened' : 'closed',
    severity: 'critical',
    count: 10_000,
    since: '2026-12-05T12:00:00.000Z',
    examples: Array.from({ length: 10 }, (_, example) => ({
      alertId: `alert-${example}`,
      deviceId: `device-${example}`,
      deviceName: character.repeat(253),
      detail: character.repeat(300),
    })),
  }));

const CHARACTERS = ['x', '&', '<', '"', '漢', '😀'];
const cases = [1, 2, 10, 50].flatMap((count) => CHARACTERS.map((character) => [count, character] as const));

describe.each(cases)('the longest message of %i rules in %s', (count, character) => {
  const groups = groupsOf(count, character);
  const message = { title: titleOf('alerts', groups), content: contentOf('alerts', groups) };

  it('is one that Slack takes', () => {
    expect(slackMessage.safeParse(slackPayload(message, HUB)).error).toBeUndefined();
  });

  it('is one that Teams takes', () => {
    const payload = teamsPayload(message, HUB);
    expect(teamsMessage.safeParse(payload).error).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(TEAMS_BYTES);
  });

  it('names each rule that it does not count as left out', () => {
    for (const payload of [slackPayload(message, HUB), teamsPayload(message, HUB)]) {
      const text = JSON.stringify(payload);
      const omitted = Number(/(\d+) more rules are left out/.exec(text)?.[1] ?? 0);
      expect(text.match(/Critical: |Resolved: /g)?.length).toBeGreaterThanOrEqual(count - omitted);
    }
  });
});
