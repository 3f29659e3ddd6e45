import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../lib/api/errors.ts';
import type { Rollout } from '../../lib/api/types.ts';
import { updatesApi } from '../../lib/api/updates.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { failed } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { ShareInput } from './NewRollout.tsx';

type Change = 'pause' | 'resume' | 'roll_back' | 'end';

/** The actions on a rollout in its state. */
export function RolloutActions({ rollout }: { rollout: Rollout }) {
  const [change, { isLoading }] = updatesApi.useChangeRolloutMutation();
  const dialog = useDialog<'raise' | 'roll_back' | 'end'>();
  const { id, state, share, version } = rollout;
  const apply = (to: Change) => change({ id, change: to }).unwrap();
  const now = (to: Change) => void apply(to).catch((error: unknown) => failed(error));
  const open = state === 'running' || state === 'paused';
  const common = { onDone: dialog.close, onCancel: dialog.close };
  return (
    <>
      {state === 'running' ? <Action label={text.pause} busy={isLoading} act={() => now('pause')} /> : null}
      {state === 'paused' ? <Action label={text.resume} busy={isLoading} act={() => now('resume')} /> : null}
      {open && share < 100 ? <Action label={text.raise} act={() => dialog.open('raise')} /> : null}
      {state === 'rolled_back' ? null : <Action label={text.rollBack} act={() => dialog.open('roll_back')} />}
      {open ? <Action label={text.end} act={() => dialog.open('end')} /> : null}
      <Dialog
        control={dialog}
        title={dialog.subject === 'raise' ? text.raise : dialog.subject === 'end' ? text.end : text.rollBack}
      >
        {(what) =>
          what === 'raise' ? (
            <RaiseShare rollout={rollout} onClose={dialog.close} />
          ) : what === 'end' ? (
            <Confirmation lead={text.endLead} confirm={text.end} act={() => apply('end')} {...common} />
          ) : (
            <Confirmation
              lead={text.rollBackLead(version)}
              losses={text.rollBackLosses}
              note={text.rollBackNote}
              confirm={text.rollBack}
              act={() => apply('roll_back')}
              {...common}
            />
          )
        }
      </Dialog>
    </>
  );
}

function Action({ label, busy = false, act }: { label: string; busy?: boolean; act: () => void }) {
  return (
    <Button variant="default" size="xs" loading={busy} onClick={act}>
      {label}
    </Button>
  );
}

function RaiseShare({ rollout: { id, share: least }, onClose }: { rollout: Rollout; onClose: () => void }) {
  const [raise, state] = updatesApi.useSetRolloutShareMutation();
  const [share, setShare] = useState(Math.min(100, least * 2));
  const confirm = async () => {
    const answer = await raise({ id, rolloutShare: { share } });
    if (!answer.error) onClose();
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.raiseFailed)}
      confirm={text.raiseConfirm}
      disabled={share <= least}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{text.raiseLead(least)}</Text>
      <ShareInput value={share} least={least} onChange={setShare} />
    </DialogForm>
  );
}
