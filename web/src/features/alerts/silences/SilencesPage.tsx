import { Button, Text } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ALL } from '../../../lib/access.ts';
import { mayManageAlerts } from '../../../lib/alert-access.ts';
import { alertsApi } from '../../../lib/api/alerts.ts';
import type { AlertSilence } from '../../../lib/api/types.ts';
import { time } from '../../../lib/format.ts';
import { alertRules, alertSilences as text } from '../../../lib/messages/alerts.ts';
import { useSession } from '../../../lib/session.ts';
import { failed, succeeded } from '../../../lib/toast.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { AlertsFrame, PickAccount } from '../AlertsFrame.tsx';
import { useAlertScope } from '../useAlertScope.ts';
import { SilenceForm } from './SilenceForm.tsx';
import classes from './silences.module.css';

const keyOf = ({ id }: AlertSilence) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** For which devices of an account nobody is notified. */
export function SilencesPage() {
  const session = useSession();
  const { account } = useAlertScope();
  const form = useDialog<true>();
  const manages = account !== ALL && mayManageAlerts(session, account);
  const create = manages ? (
    <Button leftSection={<IconBellOff size={16} aria-hidden />} onClick={() => form.open(true)}>
      {text.create}
    </Button>
  ) : null;
  return (
    <AlertsFrame title={text.title} below actions={create}>
      {account === ALL ? (
        <PickAccount why={text.pick} />
      ) : (
        <Silences account={account} manages={manages} create={create} />
      )}
      <Dialog control={form} title={text.create}>
        {() => <SilenceForm account={account} onClose={form.close} />}
      </Dialog>
    </AlertsFrame>
  );
}

interface SilencesProps {
  account: string;
  manages: boolean;
  create: ReactNode;
}

function Silences({ account, manages, create }: SilencesProps) {
  const { currentData, error, refetch } = alertsApi.useListAlertSilencesQuery({ account });
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  return (
    <>
      <Text c="dimmed" mb={12} maw="72ch">
        {text.lead}
      </Text>
      <DataTable
        label={text.title}
        columns={silenceColumns(manages)}
        rows={currentData?.silences}
        rowKey={keyOf}
        state={ORDER}
        onSort={unsorted}
        empty={<Empty title={text.none} text={text.noneText} action={create} />}
      />
    </>
  );
}

function silenceColumns(manages: boolean): Column<AlertSilence>[] {
  const end: Column<AlertSilence> = {
    id: 'actions',
    label: text.columns.actions,
    hiddenLabel: true,
    width: 84,
    align: 'right',
    render: (silence) => <End silence={silence} />,
  };
  return [
    { id: 'devices', label: text.columns.devices, render: (silence) => <Devices silence={silence} /> },
    { id: 'until', label: text.columns.until, width: '22%', render: ({ until }) => time(until) },
    {
      id: 'reason',
      label: text.columns.reason,
      width: '28%',
      wideOnly: true,
      render: ({ reason }) => <span title={reason}>{reason}</span>,
    },
    {
      id: 'by',
      label: text.columns.by,
      width: '20%',
      wideOnly: true,
      render: ({ createdBy }) => <span title={createdBy}>{createdBy}</span>,
    },
    ...(manages ? [end] : []),
  ];
}

function Devices({ silence: { filter, reason } }: { silence: AlertSilence }) {
  return (
    <div className={classes.devices}>
      {filter === '' ? (
        alertRules.allDevices
      ) : (
        <span className="mono" title={filter}>
          {filter}
        </span>
      )}
      <div className={classes.reason}>{reason}</div>
    </div>
  );
}

function End({ silence: { id, filter } }: { silence: AlertSilence }) {
  const [remove, { isLoading }] = alertsApi.useDeleteAlertSilenceMutation();
  const end = () =>
    void remove({ id })
      .unwrap()
      .then(
        () => succeeded(text.ended, text.endedDetail),
        (error: unknown) => failed(error),
      );
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isLoading}
      aria-label={text.endOf(filter === '' ? alertRules.allDevices : filter)}
      onClick={end}
    >
      {text.end}
    </Button>
  );
}
