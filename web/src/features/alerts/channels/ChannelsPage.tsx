import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ALL } from '../../../lib/access.ts';
import type { NotificationChannel } from '../../../lib/api/types.ts';
import { notificationsApi } from '../../../lib/api/notifications.ts';
import { channels as text } from '../../../lib/messages/channels.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { SigningSecret } from '../../../ui/SigningSecret.tsx';
import { AlertsFrame, PickAccount } from '../AlertsFrame.tsx';
import { useAlertScope } from '../useAlertScope.ts';
import { ChannelForm } from './ChannelForm.tsx';
import { channelColumns } from './columns.tsx';
import { Notifications } from './Notifications.tsx';

const keyOf = ({ id }: NotificationChannel) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** Where notifications of an account go, and what was sent. */
export function ChannelsPage() {
  const { account } = useAlertScope();
  const form = useDialog<NotificationChannel | 'new'>();
  const secret = useDialog<string>();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open('new')}>
      {text.create}
    </Button>
  );
  return (
    <AlertsFrame title={text.title} below actions={account === ALL ? null : create}>
      {account === ALL ? (
        <PickAccount why={text.pick} />
      ) : (
        <Channels account={account} create={create} onEdit={form.open} onSecret={secret.open} />
      )}
      <Dialog control={form} title={form.subject === 'new' ? text.create : text.edit}>
        {(channel) => (
          <ChannelForm
            account={account}
            channel={channel === 'new' ? null : channel}
            onClose={form.close}
            onSecret={secret.open}
          />
        )}
      </Dialog>
      <Dialog control={secret} title={text.secret}>
        {(shown) => <SigningSecret secret={shown} text={text} onClose={secret.close} />}
      </Dialog>
    </AlertsFrame>
  );
}

interface ChannelsProps {
  account: string;
  create: ReactNode;
  onEdit: (channel: NotificationChannel) => void;
  onSecret: (secret: string) => void;
}

function Channels({ account, create, onEdit, onSecret }: ChannelsProps) {
  const { currentData, error, refetch } = notificationsApi.useListChannelsQuery({ account });
  const rotating = useDialog<NotificationChannel>();
  const removing = useDialog<NotificationChannel>();
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  return (
    <>
      <DataTable
        label={text.title}
        columns={channelColumns({ edit: onEdit, rotate: rotating.open, remove: removing.open })}
        rows={currentData?.channels}
        rowKey={keyOf}
        state={ORDER}
        onSort={unsorted}
        empty={<Empty title={text.none} text={text.noneText} action={create} />}
      />
      {currentData && currentData.channels.length > 0 ? <Notifications account={account} /> : null}
      <Dialog control={rotating} title={text.rotate}>
        {(channel) => <RotateSecret channel={channel} onClose={rotating.close} onSecret={onSecret} />}
      </Dialog>
      <Dialog control={removing} title={text.remove}>
        {(channel) => <RemoveChannel channel={channel} onClose={removing.close} />}
      </Dialog>
    </>
  );
}

interface RotateSecretProps {
  channel: NotificationChannel;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

function RotateSecret({ channel: { id, name }, onClose, onSecret }: RotateSecretProps) {
  const [rotate] = notificationsApi.useRotateChannelSecretMutation();
  return (
    <Confirmation
      lead={text.rotateLead(name)}
      losses={text.rotateLosses}
      confirm={text.rotate}
      act={async () => {
        const { secret } = await rotate({ id }).unwrap();
        if (secret) onSecret(secret);
      }}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

function RemoveChannel({ channel: { id, name }, onClose }: { channel: NotificationChannel; onClose: () => void }) {
  const [remove] = notificationsApi.useDeleteChannelMutation();
  return (
    <Confirmation
      lead={text.removeLead(name)}
      losses={text.removeLosses}
      confirm={text.remove}
      act={() => remove({ id }).unwrap()}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
