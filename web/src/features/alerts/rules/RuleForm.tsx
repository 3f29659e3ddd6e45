import { Input, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { ALERT_LIMITS, hasCondition } from '@warren/rules/alerts';
import { useState } from 'react';
import { alertsApi } from '../../../lib/api/alerts.ts';
import { formProblem } from '../../../lib/api/field-problem.ts';
import type { AlertRule } from '../../../lib/api/types.ts';
import { alertRules as text, alerts } from '../../../lib/messages/alerts.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { FilterField } from '../../../ui/filter/FilterField.tsx';
import { useKnownValues, useReferable } from '../../../ui/filter/useKnownValues.ts';
import { SEVERITIES, Severity, type SeverityName } from '../../../ui/Severity.tsx';
import { bodyOf, KINDS, newRule, ofKind, problemsOf, type Kind, type RuleContent } from './rule-form.ts';
import { RulePreview } from './RulePreview.tsx';
import { RuleSentence } from './RuleSentence.tsx';

interface RuleFormProps {
  account: string;
  /** Null for a new one. */
  rule: AlertRule | null;
  onClose: () => void;
}

/** Creates a rule, or changes one. */
export function RuleForm({ account, rule, onClose }: RuleFormProps) {
  const [create, creating] = alertsApi.useCreateAlertRuleMutation();
  const [change, changing] = alertsApi.useChangeAlertRuleMutation();
  const [content, setContent] = useState<RuleContent>(() => rule ?? newRule('condition'));
  const [tried, setTried] = useState(false);
  const known = useKnownValues(account, undefined, true);
  const referable = useReferable(account, known, { wanted: true });
  const problems = problemsOf(content);
  const shown = tried ? problems : {};
  const set = (part: Partial<RuleContent>) => setContent((now) => ({ ...now, ...part }));
  const refused = formProblem(creating.error ?? changing.error, { field: 'filter', fallback: text.saveFailed });
  const confirm = async () => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    const wanted = bodyOf(content);
    const answer = rule
      ? await change({ id: rule.id, changeAlertRule: wanted })
      : await create({ createAlertRule: { account, ...wanted } });
    if (answer.error) return;
    onClose();
    succeeded(rule ? text.saved : text.created, text.savedDetail(wanted.name));
  };
  return (
    <DialogForm
      problem={refused.above}
      confirm={rule ? text.saveConfirm : text.createConfirm}
      busy={creating.isLoading || changing.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={text.name}
        maxLength={ALERT_LIMITS.name}
        autoComplete="off"
        value={content.name}
        error={shown.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {rule ? null : (
        <Select
          label={text.when}
          data={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
          value={content.kind}
          allowDeselect={false}
          onChange={(kind) => setContent((now) => ofKind(now, kind as Kind))}
        />
      )}
      {hasCondition(content.kind) ? (
        <FilterField
          key={content.kind}
          required
          label={text.condition}
          description={content.kind === 'metric' ? text.expressionHelp : text.conditionHelp}
          icon={<IconActivity size={16} aria-hidden />}
          value={content.condition}
          known={content.kind === 'metric' ? undefined : known}
          problem={shown.condition}
          onChange={(condition) => set({ condition })}
        />
      ) : null}
      <RuleSentence rule={content} onChange={set} />
      {problems.minutes === undefined ? null : <Input.Error role="alert">{problems.minutes}</Input.Error>}
      <FilterField
        label={text.devices}
        description={text.devicesHelp}
        placeholder={text.allDevices}
        value={content.filter}
        known={referable}
        problem={refused.atField ?? shown.filter}
        onChange={(filter) => {
          creating.reset();
          changing.reset();
          set({ filter });
        }}
      />
      {refused.atField === undefined ? <RulePreview account={account} rule={content} /> : null}
      <Input.Wrapper label={alerts.severity} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={alerts.severity}
          value={content.severity}
          data={SEVERITIES.map((value) => ({ value, label: <Severity value={value} /> }))}
          onChange={(severity) => set({ severity: severity as SeverityName })}
        />
      </Input.Wrapper>
    </DialogForm>
  );
}
