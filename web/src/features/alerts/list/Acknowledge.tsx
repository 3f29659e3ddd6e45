import { Text, Textarea } from '@mantine/core';
import { ALERT_LIMITS } from '@warren/rules/alerts';
import { useState } from 'react';
import { alertsApi } from '../../../lib/api/alerts.ts';
import { errorText } from '../../../lib/api/errors.ts';
import { alerts } from '../../../lib/messages/alerts.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';

const text = alerts.acknowledge;

interface AcknowledgeProps {
  ids: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

/** Says who looks after alerts, with a note for others. */
export function Acknowledge({ ids, onClose, onDone }: AcknowledgeProps) {
  const [acknowledge, state] = alertsApi.useAcknowledgeAlertsMutation();
  const [note, setNote] = useState('');
  const confirm = async () => {
    const answer = await acknowledge({ acknowledgeAlerts: { ids: [...ids], note: note.trim() } });
    if (answer.error) return;
    onDone();
    succeeded(text.done, text.doneDetail(answer.data.changed));
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.failed)}
      confirm={text.confirm}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.lead}</Text>
      <Textarea
        data-autofocus
        label={text.note}
        description={text.noteHelp}
        maxLength={ALERT_LIMITS.note}
        rows={3}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
