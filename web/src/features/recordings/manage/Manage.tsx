import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDownload, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { Recording } from '../../../lib/api/types.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { mayExportRecordings, mayManageRecordings } from '../../../lib/recording-access.ts';
import { useSession } from '../../../lib/session.ts';
import { succeeded } from '../../../lib/toast.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { RowMenu, type RowAction } from '../../../ui/RowMenu.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { personOf } from '../person.ts';
import { ExportForm } from './ExportForm.tsx';
import { HoldForm } from './HoldForm.tsx';

/** What a person may do with a recording: export it, hold it, delete it. */
export function Manage({ recording }: { recording: Recording }) {
  const session = useSession();
  const navigate = useNavigate();
  const [hold] = recordingsApi.useHoldRecordingMutation();
  const [remove] = recordingsApi.useDeleteRecordingMutation();
  const exporting = useDialog<Recording>();
  const holding = useDialog<Recording>();
  const releasing = useDialog<Recording>();
  const deleting = useDialog<Recording>();
  const { account, device, person, kind } = recording;
  const manages = mayManageRecordings(session, account.id);
  const isExportable = kind === 'terminal' && mayExportRecordings(session, account.id);
  const actions: RowAction[] = manages
    ? [
        recording.hold
          ? { label: text.release, icon: IconLockOpen, act: () => releasing.open(recording) }
          : { label: text.hold, icon: IconLock, act: () => holding.open(recording) },
        { label: text.delete, icon: IconTrash, danger: true, act: () => deleting.open(recording) },
      ]
    : [];
  return (
    <>
      {isExportable ? <ExportButton onClick={() => exporting.open(recording)} /> : null}
      <RowMenu name={device.name} actions={actions} />
      <Dialog control={exporting} title={text.exportTitle}>
        {(one) => <ExportForm recording={one} onClose={exporting.close} />}
      </Dialog>
      <Dialog control={holding} title={text.hold}>
        {(one) => <HoldForm recording={one} onClose={holding.close} />}
      </Dialog>
      <Dialog control={releasing} title={text.release}>
        {(one) => (
          <Confirmation
            lead={text.releaseLead(one.hold?.reason ?? '')}
            note={text.releaseNote}
            confirm={text.releaseAct}
            act={() => hold({ id: one.id, holdRecording: { held: false } }).unwrap()}
            onDone={() => {
              releasing.close();
              succeeded(text.releaseDone, text.releaseDetail);
            }}
            onCancel={releasing.close}
          />
        )}
      </Dialog>
      <Dialog control={deleting} title={text.delete}>
        {(one) => (
          <Confirmation
            lead={text.deleteLead(device.name, personOf(person.email))}
            losses={text.deleteLosses[one.kind]}
            note={one.hold ? text.deleteHeld : one.ended === null ? text.deleteLive : text.deleteNote}
            typed={device.name}
            confirm={text.deleteAct}
            act={() => remove({ id: one.id }).unwrap()}
            onDone={() => {
              void navigate('/sessions', { replace: true });
              succeeded(text.deleteDone, text.deleteDetail(device.name));
            }}
            onCancel={deleting.close}
          />
        )}
      </Dialog>
    </>
  );
}

/** A word where there is room for it. */
function ExportButton({ onClick }: { onClick: () => void }) {
  return (
    <>
      <Button
        visibleFrom="sm"
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
        onClick={onClick}
      >
        {text.export}
      </Button>
      <Tooltip label={text.export}>
        <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" aria-label={text.export} onClick={onClick}>
          <IconDownload size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
