import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { alertsApi } from '../../../lib/api/alerts.ts';
import { errorText } from '../../../lib/api/errors.ts';
import { alertRules as text } from '../../../lib/messages/alerts.ts';
import { bodyOf, problemsOf, type RuleContent } from './rule-form.ts';

const PAUSE_MS = 400;

/** How many devices a rule watches, and for how many its condition holds now. */
export function RulePreview({ account, rule }: { account: string; rule: RuleContent }) {
  const { filter, condition, minutes } = problemsOf(rule);
  const isWrong = [filter, condition, minutes].some((problem) => problem !== undefined);
  const { name: _name, enabled: _enabled, severity: _severity, ...sought } = bodyOf(rule);
  const shown = JSON.stringify({ account, ...sought });
  const [asked] = useDebouncedValue(shown, PAUSE_MS);
  // An earlier preview does not apply to the edited rule.
  const isBusy = asked !== shown;
  const { currentData, isFetching, error } = alertsApi.usePreviewAlertRuleQuery(
    { previewAlertRule: JSON.parse(asked) as { account: string } & typeof sought },
    { skip: isWrong || isBusy },
  );
  return (
    <Text role="status" size="sm" c="dimmed" mih={20}>
      {isWrong
        ? null
        : isBusy || isFetching
          ? text.previewBusy
          : error
            ? errorText(error, text.previewFailed)
            : currentData
              ? text.preview(currentData.matching, currentData.now ?? null)
              : null}
    </Text>
  );
}
