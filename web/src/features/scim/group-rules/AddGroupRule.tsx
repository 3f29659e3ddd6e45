import { Select, Text, TextInput } from '@mantine/core';
import { GROUP_RULE_LIMITS, providerGroup } from '@warren/rules/group-rules';
import { useState } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { GroupRuleList } from '../../../lib/api/types.ts';
import { groupRulesApi } from '../../../lib/api/group-rules.ts';
import { groupRules as text } from '../../../lib/messages/group-rules.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { settingOf } from './rules.ts';

interface AddGroupRuleProps {
  account: string;
  list: GroupRuleList;
  onClose: () => void;
}

/** Adds a rule behind the others. */
export function AddGroupRule({ account, list, onClose }: AddGroupRuleProps) {
  const [set, state] = groupRulesApi.useSetGroupRulesMutation();
  const [provider, setProvider] = useState<string | null>(list.providers[0]?.id ?? null);
  const [value, setValue] = useState('');
  const [group, setGroup] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const parsed = providerGroup.safeParse(value);
  const isTaken = list.rules.some((rule) => rule.provider === provider && rule.value === parsed.data);
  const wrong = parsed.success ? (isTaken ? text.valueTaken : undefined) : text.valueWrong(GROUP_RULE_LIMITS.value);
  const target = list.groups.find(({ id }) => id === group);
  const source = list.providers.find(({ id }) => id === provider)?.source ?? '';
  const confirm = async () => {
    setTried(true);
    if (provider === null || !target || !parsed.success || isTaken) return;
    const rules = [...list.rules, { provider, value: parsed.data, group: target }];
    const answer = await set({ id: account, setGroupRules: settingOf(list, rules) });
    if (!answer.error) onClose();
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.addFailed)}
      confirm={text.addConfirm}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Select
        required
        label={text.provider}
        data={list.providers.map(({ id, name }) => ({ value: id, label: name }))}
        value={provider}
        allowDeselect={false}
        error={tried && provider === null ? text.providerMissing : undefined}
        onChange={setProvider}
      />
      <TextInput
        data-autofocus
        required
        label={text.value}
        description={text.valueHelp(source)}
        maxLength={GROUP_RULE_LIMITS.value}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        error={tried ? wrong : undefined}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Select
        required
        searchable
        openOnFocus={false}
        label={text.group}
        description={text.groupHelp}
        nothingFoundMessage={text.noGroups}
        data={list.groups.map(({ id, name }) => ({ value: id, label: name }))}
        value={group}
        error={tried && !target ? text.groupMissing : undefined}
        onChange={setGroup}
      />
      <Text size="sm" c="dimmed">
        {text.takesEffect}
      </Text>
    </DialogForm>
  );
}
