import { Text, Textarea } from '@mantine/core';
import { holdReason, RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { useState } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { Recording } from '../../../lib/api/types.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { succeeded } from '../../../lib/toast.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';

/** Places a legal hold on a recording. */
export function HoldForm({ recording: { id }, onClose }: { recording: Recording; onClose: () => void }) {
  const [hold, { error, isLoading }] = recordingsApi.useHoldRecordingMutation();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const isWrong = !holdReason.safeParse(reason).success;
  const confirm = async () => {
    setTried(true);
    if (isWrong) return;
    const answer = await hold({ id, holdRecording: { held: true, reason: reason.trim() } });
    if (answer.error) return;
    onClose();
    succeeded(text.holdDone, text.holdDetail);
  };
  return (
    <DialogForm
      problem={error && errorText(error)}
      confirm={text.holdAct}
      busy={isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.holdLead}</Text>
      <Textarea
        data-autofocus
        required
        rows={2}
        label={text.holdReason}
        description={text.holdReasonHint}
        maxLength={RECORDING_LIMITS.reason}
        value={reason}
        error={tried && isWrong ? text.holdReasonMissing : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
