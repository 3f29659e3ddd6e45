import { Alert, Button, Radio, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { RECORDING_FULL, RECORDING_POLICIES } from '@warren/rules/recordings/settings';
import { Suspense, useState } from 'react';
import type { FormEvent } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { RecordingSettings } from '../../../lib/api/types.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { bytes } from '../../../lib/format.ts';
import { recordingSettings as text } from '../../../lib/messages/recording-settings.ts';
import { succeeded } from '../../../lib/toast.ts';
import { FilterCount } from '../../../ui/filter/FilterCount.tsx';
import { FilterField } from '../../../ui/filter/FilterField.tsx';
import { useKnownValues } from '../../../ui/filter/useKnownValues.ts';
import { part } from '../../../ui/part.tsx';
import { bodyOf, draftOf, problemsOf, rulesOf, type SettingsDraft, type SettingsProblems } from './settings-form.ts';
import classes from './settings.module.css';

// It brings RE2, which no other page needs.
const RuleSample = part(async () => (await import('./RuleSample.tsx')).RuleSample);

interface FormProps {
  account: string;
  settings: RecordingSettings;
  readOnly: boolean;
}

/** Changes what is recorded. */
export function RecordingSettingsForm({ account, settings, readOnly }: FormProps) {
  const [save, state] = recordingsApi.useSetRecordingSettingsMutation();
  const [draft, setDraft] = useState(() => draftOf(settings));
  const set = (change: Partial<SettingsDraft>) => setDraft((now) => ({ ...now, ...change }));
  const problems = problemsOf(draft);
  const isWrong = Object.keys(problems).length > 0;
  const isChanged = !isWrong && JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(draftOf(settings)));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged) return;
    const { version } = settings;
    const answer = await save({ setRecordingSettings: { account, version, ...bodyOf(draft) } });
    if (!answer.error) succeeded(text.saved, text.savedDetail[draft.policy]);
  };
  const parts = { draft, problems, readOnly, set };
  return (
    <form noValidate data-unsent={isChanged || undefined} onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {state.error ? (
          <Alert color="red" variant="light" role="alert">
            {errorText(state.error, text.saveFailed)}
          </Alert>
        ) : null}
        <What account={account} {...parts} />
        {draft.policy === 'off' && settings.policy === 'off' ? null : (
          <>
            <Keeping settings={settings} {...parts} />
            <Texts {...parts} />
          </>
        )}
        {readOnly ? (
          <Text c="dimmed">{text.readOnly}</Text>
        ) : (
          <Button type="submit" disabled={!isChanged} loading={state.isLoading} style={{ alignSelf: 'flex-start' }}>
            {text.save}
          </Button>
        )}
      </Stack>
    </form>
  );
}

interface PartProps {
  draft: SettingsDraft;
  problems: SettingsProblems;
  readOnly: boolean;
  set: (change: Partial<SettingsDraft>) => void;
}

function What({ account, draft, problems, readOnly, set }: PartProps & { account: string }) {
  const known = useKnownValues(account, undefined, !readOnly);
  return (
    <>
      <Radio.Group
        label={text.policy}
        description={text.sessions}
        value={draft.policy}
        onChange={(policy) => set({ policy: policy as SettingsDraft['policy'] })}
      >
        <Stack gap="sm" mt={8}>
          {RECORDING_POLICIES.map((value) => (
            <Radio
              key={value}
              value={value}
              disabled={readOnly}
              label={text.policies[value].label}
              description={text.policies[value].hint}
            />
          ))}
        </Stack>
      </Radio.Group>
      {draft.policy === 'off' ? null : (
        <>
          <fieldset disabled={readOnly} style={{ margin: 0, padding: 0, border: 'none' }}>
            <FilterField
              label={text.devices}
              description={text.devicesHint}
              value={draft.filter}
              known={known}
              problem={problems.filter}
              onChange={(filter) => set({ filter })}
            />
            <FilterCount account={account} filter={draft.filter} isWrong={problems.filter !== undefined} />
          </fieldset>
          <Switch
            label={text.desktops}
            description={text.desktopsHint}
            disabled={readOnly}
            checked={draft.desktops}
            onChange={(event) => set({ desktops: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}

function Keeping({ settings, draft, problems, readOnly, set }: PartProps & { settings: RecordingSettings }) {
  const { defaultDays, defaultQuota, used, recordings } = settings;
  const days = problems.days || draft.days.trim() === '' ? defaultDays : Number(draft.days);
  const isShorter = !problems.days && days < (settings.days ?? defaultDays);
  return (
    <section className={classes.section} aria-label={text.keeping}>
      <Stack gap="md">
        <Text role="status" size="sm">
          {text.used(bytes(used), bytes(settings.quota ?? defaultQuota), recordings)}
        </Text>
        <div className={classes.pair}>
          <TextInput
            label={text.days}
            description={isShorter ? text.shorter(days) : text.daysHint(defaultDays)}
            inputMode="numeric"
            autoComplete="off"
            disabled={readOnly}
            value={draft.days}
            error={problems.days}
            onChange={(event) => set({ days: event.currentTarget.value })}
          />
          <TextInput
            label={text.quota}
            description={text.quotaHint(bytes(defaultQuota))}
            inputMode="decimal"
            autoComplete="off"
            disabled={readOnly}
            value={draft.quota}
            error={problems.quota}
            onChange={(event) => set({ quota: event.currentTarget.value })}
          />
        </div>
        <Radio.Group
          label={text.full}
          value={draft.full}
          onChange={(full) => set({ full: full as SettingsDraft['full'] })}
        >
          <Stack gap="xs" mt={8}>
            {RECORDING_FULL.map((value) => (
              <Radio key={value} value={value} disabled={readOnly} label={text.fulls[value]} />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
    </section>
  );
}

function Texts({ draft, problems, readOnly, set }: PartProps) {
  return (
    <section className={classes.section} aria-label={text.text}>
      <Stack gap="md">
        <Switch
          label={text.search}
          description={text.searchHint}
          disabled={readOnly}
          checked={draft.search}
          onChange={(event) => set({ search: event.currentTarget.checked })}
        />
        <Textarea
          rows={4}
          label={text.redactions}
          description={text.redactionsHint}
          placeholder={text.redactionsPlaceholder}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'mono' }}
          disabled={readOnly}
          value={draft.redactions}
          error={problems.redactions}
          onChange={(event) => set({ redactions: event.currentTarget.value })}
        />
        <Suspense>
          <RuleSample rules={rulesOf(draft.redactions)} />
        </Suspense>
      </Stack>
    </section>
  );
}
