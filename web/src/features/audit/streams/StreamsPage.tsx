import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { mayManageAudit } from '../../../lib/alert-access.ts';
import { auditApi } from '../../../lib/api/audit.ts';
import type { AuditStream } from '../../../lib/api/types.ts';
import { auditStreams as text } from '../../../lib/messages/audit-streams.ts';
import { messages } from '../../../lib/messages.ts';
import { useSession } from '../../../lib/session.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { SigningSecret } from '../../../ui/SigningSecret.tsx';
import { useAuditScope } from '../useAuditScope.ts';
import { streamColumns } from './columns.tsx';
import { RetentionForm } from './RetentionForm.tsx';
import { StreamForm, type StreamScope } from './StreamForm.tsx';
import classes from './streams.module.css';

const keyOf = ({ id }: AuditStream) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;
const REFRESH_MS = 10_000;

/** Where the events of an account, or of all, are streamed to, and how long they are kept. */
export function StreamsPage() {
  const session = useSession();
  const { query, isAll } = useAuditScope();
  const form = useDialog<AuditStream | 'new'>();
  const secret = useDialog<string>();
  const { account = '' } = query;
  if (!mayManageAudit(session, account || session.account)) return <Navigate to="/audit" replace />;
  const scope: StreamScope = isAll ? { scope: 'all' } : { scope: 'account', account };
  const back = account && session.operator ? `/audit?account=${encodeURIComponent(account)}` : '/audit';
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open('new')}>
      {text.create}
    </Button>
  );
  const steps = [
    { label: messages.nav.home, to: '/' },
    { label: text.audit, to: back },
  ];
  return (
    <Page title={text.title} trail={<Trail steps={steps} />} actions={create}>
      {isAll ? <p className={classes.lead}>{text.ofAll}</p> : null}
      <Streams scope={scope} create={create} onEdit={form.open} onSecret={secret.open} />
      {isAll ? null : <RetentionForm account={account} />}
      <Dialog control={form} title={form.subject === 'new' ? text.create : text.edit}>
        {(stream) => (
          <StreamForm
            scope={scope}
            stream={stream === 'new' ? null : stream}
            onClose={form.close}
            onSecret={secret.open}
          />
        )}
      </Dialog>
      <Dialog control={secret} title={text.secret}>
        {(shown) => <SigningSecret secret={shown} text={text} onClose={secret.close} />}
      </Dialog>
    </Page>
  );
}

interface StreamsProps {
  scope: StreamScope;
  create: ReactNode;
  onEdit: (stream: AuditStream) => void;
  onSecret: (secret: string) => void;
}

function Streams({ scope, create, onEdit, onSecret }: StreamsProps) {
  const options = { pollingInterval: REFRESH_MS, skipPollingIfUnfocused: true };
  const { currentData, error, refetch } = auditApi.useListAuditStreamsQuery(scope, options);
  const rotating = useDialog<AuditStream>();
  const removing = useDialog<AuditStream>();
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  return (
    <>
      <DataTable
        label={text.list}
        columns={streamColumns({ edit: onEdit, rotate: rotating.open, remove: removing.open })}
        rows={currentData?.streams}
        rowKey={keyOf}
        state={ORDER}
        onSort={unsorted}
        empty={<Empty title={text.none} text={text.noneText} action={create} />}
      />
      <Dialog control={rotating} title={text.rotate}>
        {(stream) => <RotateSecret stream={stream} onClose={rotating.close} onSecret={onSecret} />}
      </Dialog>
      <Dialog control={removing} title={text.remove}>
        {(stream) => <RemoveStream stream={stream} onClose={removing.close} />}
      </Dialog>
    </>
  );
}

interface RotateSecretProps {
  stream: AuditStream;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

function RotateSecret({ stream: { id, name }, onClose, onSecret }: RotateSecretProps) {
  const [rotate] = auditApi.useRotateAuditStreamSecretMutation();
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

function RemoveStream({ stream: { id, name }, onClose }: { stream: AuditStream; onClose: () => void }) {
  const [remove] = auditApi.useDeleteAuditStreamMutation();
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
