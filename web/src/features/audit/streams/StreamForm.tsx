import { Checkbox, Group, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { auditApi } from '../../../lib/api/audit.ts';
import { errorText } from '../../../lib/api/errors.ts';
import type { AuditStream } from '../../../lib/api/types.ts';
import { auditStreams as text } from '../../../lib/messages/audit-streams.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import {
  actionsOf,
  contentOf,
  newStream,
  problemsOf,
  streamKinds,
  type StreamContent,
  type StreamKind,
} from './stream-form.ts';

const NAME_LENGTH = 64;
const OUTCOMES = Object.entries(text.outcomes);

export interface StreamScope {
  account?: string;
  scope: 'account' | 'all';
}

interface StreamFormProps {
  scope: StreamScope;
  /** Null for a new one. */
  stream: AuditStream | null;
  onClose: () => void;
  /** There is a secret to show. */
  onSecret: (secret: string) => void;
}

/** Creates a stream, or changes one. */
export function StreamForm({ scope, stream, onClose, onSecret }: StreamFormProps) {
  const { currentData: { files = false } = {} } = auditApi.useListAuditStreamsQuery(scope);
  const [create, creating] = auditApi.useCreateAuditStreamMutation();
  const [change, changing] = auditApi.useUpdateAuditStreamMutation();
  const [content, setContent] = useState<StreamContent>(() => (stream ? contentOf(stream) : newStream()));
  const [tried, setTried] = useState(false);
  const problems = problemsOf(content, stream === null);
  const shown = tried ? problems : {};
  const set = (part: Partial<StreamContent>) => setContent((now) => ({ ...now, ...part }));
  const error = creating.error ?? changing.error;
  const confirm = async () => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    const { kind, outcomes } = content;
    const [name, url, ca] = [content.name.trim(), content.url.trim(), content.ca.trim()];
    const wanted = { name, actions: actionsOf(content), outcomes, ...(kind === 'syslog' && { ca }) };
    const isKept = url === '' || kind === 'file' || url === stream?.url;
    const answer = stream
      ? await change({ id: stream.id, updateAuditStream: { ...wanted, ...(!isKept && { url }) } })
      : await create({ createAuditStream: { ...wanted, ...scope, kind, ...(kind !== 'file' && { url }) } });
    if (answer.error) return;
    onClose();
    succeeded(stream ? text.saved : text.created, text.savedDetail(name));
    const { secret }: { result: unknown; secret?: string | null } = answer.data;
    if (secret) onSecret(secret);
  };
  return (
    <DialogForm
      problem={error && errorText(error, text.saveFailed)}
      confirm={stream ? text.saveConfirm : text.createConfirm}
      busy={creating.isLoading || changing.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {stream ? null : (
        <SegmentedControl
          fullWidth
          aria-label={text.kind}
          value={content.kind}
          data={streamKinds(files).map((value) => ({ value, label: text.kinds[value] }))}
          onChange={(kind) => set({ kind: kind as StreamKind })}
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
      <Receiver content={content} stored={stream?.url} problem={shown.url} onChange={set} />
      <TextInput
        label={text.filterActions}
        description={text.filterActionsHint}
        autoComplete="off"
        value={content.actions}
        error={shown.actions}
        onChange={(event) => set({ actions: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={text.filterOutcomes}
        description={text.filterOutcomesHint}
        value={content.outcomes}
        onChange={(outcomes) => set({ outcomes: outcomes as StreamContent['outcomes'] })}
      >
        <Group mt={8}>
          {OUTCOMES.map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
    </DialogForm>
  );
}

interface ReceiverProps {
  content: StreamContent;
  /** What people see of the stored URL. */
  stored: string | undefined;
  problem: string | undefined;
  onChange: (part: Partial<StreamContent>) => void;
}

function Receiver({ content: { kind, url, ca }, stored, problem, onChange }: ReceiverProps) {
  if (kind === 'file')
    return (
      <Text size="sm" c="dimmed">
        {text.fileHint}
      </Text>
    );
  const isSyslog = kind === 'syslog';
  const hint = stored && !isSyslog ? text.keepUrl(stored) : text.urlHint;
  return (
    <>
      <TextInput
        required={isSyslog || !stored}
        label={isSyslog ? text.address : text.url}
        description={isSyslog ? text.addressHint : hint}
        autoComplete="off"
        spellCheck={false}
        value={url}
        error={problem}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      {isSyslog ? (
        <Textarea
          label={text.ca}
          description={text.caHint}
          rows={4}
          spellCheck={false}
          value={ca}
          onChange={(event) => onChange({ ca: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}
