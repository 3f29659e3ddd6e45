import { Skeleton, Text } from '@mantine/core';
import { accessApi } from '../../lib/api/access.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Access } from '../../lib/api/types.ts';
import { access as text } from '../../lib/messages/access.ts';
import { succeeded } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Losses } from './Losses.tsx';
import { previewOf } from './loss-text.ts';

interface SwitchModeProps {
  account: string;
  mode: Access['mode'];
  onClose: () => void;
}

/** Switches the access mode; explicit grants after a look at who loses what. */
export function SwitchMode({ account, mode, onClose }: SwitchModeProps) {
  const [set, state] = accessApi.useSetAccessModeMutation();
  const isExplicit = mode === 'explicit';
  const preview = accessApi.usePreviewAccessQuery(previewOf(account), { skip: !isExplicit });
  const confirm = async () => {
    const answer = await set({ id: account, setAccessMode: { mode } });
    if (answer.error) return;
    onClose();
    succeeded(text.switched, text.switchedDetail);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.switchFailed)}
      confirm={isExplicit ? text.explicitConfirm : text.defaultConfirm}
      danger={isExplicit}
      disabled={isExplicit && !preview.currentData}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{isExplicit ? text.previewLead : text.defaultLead}</Text>
      {!isExplicit ? null : preview.error ? (
        <Failure title={text.previewFailed} error={preview.error} retry={preview.refetch} />
      ) : preview.currentData ? (
        <Losses account={account} preview={preview.currentData} />
      ) : (
        <Skeleton height={120} />
      )}
    </DialogForm>
  );
}
