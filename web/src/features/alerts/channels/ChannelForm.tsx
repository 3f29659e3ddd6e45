import { Checkbox, Input, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { NotificationChannel } from '../../../lib/api/types.ts';
import { notificationsApi } from '../../../lib/api/notifications.ts';
import { channels as text } from '../../../lib/messages/channels.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import {
  CHANNEL_KINDS,
  contentOf,
  newChannel,
  problemsOf,
  targetOf,
  USUAL_ESCALATION,
  type ChannelContent,
  type ChannelKind,
} from './channel-form.ts';
import { Quiet } from './Quiet.tsx';
import { Target } from './Target.tsx';

const NAME_LENGTH = 64;
const MOST_MINUTES = 1_440;

interface ChannelFormProps {
  account: string;
  /** Null for a new one. */
  channel: NotificationChannel | null;
  onClose: () => void;
  /** There is a secret to show. */
  onSecret: (secret: string) => void;
}

/** Creates a channel, or changes one. */
export function ChannelForm({ account, channel, onClose, onSecret }: ChannelFormProps) {
  const [create, creating] = notificationsApi.useCreateChannelMutation();
  const [change, changing] = notificationsApi.useUpdateChannelMutation();
  const [content, setContent] = useState<ChannelContent>(() => (channel ? contentOf(channel) : newChannel()));
  const [tried, setTried] = useState(false);
  const problems = problemsOf(content, channel === null);
  const shown = tried ? problems : {};
  const set = (part: Partial<ChannelContent>) => setContent((now) => ({ ...now, ...part }));
  const error = creating.error ?? changing.error;
  const confirm = async () => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    const { kind, minSeverity, afterMinutes, recovery, quiet } = content;
    const target = targetOf(content);
    const wanted = { name: content.name.trim(), minSeverity, afterMinutes, recovery };
    const save = () => {
      if (channel) return change({ id: channel.id, updateChannel: { ...wanted, quiet, ...(target && { target }) } });
      return target && create({ createChannel: { ...wanted, account, kind, quiet, target } });
    };
    const answer = await save();
    if (!answer || answer.error) return;
    onClose();
    succeeded(channel ? text.saved : text.created, text.savedDetail(wanted.name));
    const { secret }: { result: unknown; secret?: string | null } = answer.data;
    if (secret) onSecret(secret);
  };
  return (
    <DialogForm
      problem={error && errorText(error, text.saveFailed)}
      confirm={channel ? text.saveConfirm : text.createConfirm}
      busy={creating.isLoading || changing.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {channel ? null : (
        <SegmentedControl
          fullWidth
          aria-label={text.kind}
          value={content.kind}
          data={CHANNEL_KINDS.map((value) => ({ value, label: text.kinds[value] }))}
          onChange={(kind) => set({ kind: kind as ChannelKind })}
        />
      )}
      <TextInput
        data-autofocus
        required
        label={text.name}
        maxLength={NAME_LENGTH}
        autoComplete="off"
        value={content.name}
        error={shown.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Target content={content} stored={channel?.target.url} problem={shown.target} onChange={set} />
      <Select
        label={text.minSeverity}
        data={Object.entries(text.atLeast).map(([value, label]) => ({ value, label }))}
        value={content.minSeverity}
        allowDeselect={false}
        onChange={(value) => set({ minSeverity: value as ChannelContent['minSeverity'] })}
      />
      <Escalation minutes={content.afterMinutes} onChange={(afterMinutes) => set({ afterMinutes })} />
      <Checkbox
        label={text.recovery}
        checked={content.recovery}
        onChange={(event) => set({ recovery: event.currentTarget.checked })}
      />
      <Quiet quiet={content.quiet} problems={shown} onChange={(quiet) => set({ quiet })} />
    </DialogForm>
  );
}

/** When a channel gets an alert: at once, or if nobody acknowledges it. */
function Escalation({ minutes, onChange }: { minutes: number; onChange: (minutes: number) => void }) {
  return (
    <Input.Wrapper label={text.escalation} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={text.escalation}
        value={minutes === 0 ? 'now' : 'later'}
        data={[
          { value: 'now', label: text.atOnce },
          { value: 'later', label: text.later },
        ]}
        onChange={(value) => onChange(value === 'now' ? 0 : USUAL_ESCALATION)}
      />
      {minutes === 0 ? null : (
        <NumberInput
          mt={8}
          label={text.afterMinutes}
          w={160}
          min={1}
          max={MOST_MINUTES}
          clampBehavior="blur"
          allowDecimal={false}
          allowNegative={false}
          value={minutes}
          onChange={(given) => {
            const whole = Math.trunc(Number(given));
            if (given !== '' && whole > 0) onChange(whole);
          }}
        />
      )}
    </Input.Wrapper>
  );
}
