import { Button, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useCallback } from 'react';
import { Link, useNavigate } from 'react-router';
import { ALL } from '../../../lib/access.ts';
import { mayAcknowledge } from '../../../lib/alert-access.ts';
import { alertsApi } from '../../../lib/api/alerts.ts';
import type { Alert } from '../../../lib/api/types.ts';
import { alerts } from '../../../lib/messages/alerts.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { useSession } from '../../../lib/session.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { SelectionFrame } from '../../../ui/SelectionFrame.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { useRowSelection } from '../../../ui/useRowSelection.ts';
import { AlertsFrame } from '../AlertsFrame.tsx';
import { useAlertScope } from '../useAlertScope.ts';
import { Acknowledge } from './Acknowledge.tsx';
import classes from './AlertsPage.module.css';
import { AlertToolbar } from './AlertToolbar.tsx';
import { alertColumns, devicePath } from './columns.tsx';
import { useAlertFilters, type AlertFilters } from './useAlertFilters.ts';

const text = alerts.list;
const LIMIT = 50;
const keyOf = ({ id }: Alert) => id;
const nameOf = ({ ruleName, deviceName }: Alert) => text.named(ruleName, deviceName);
/** Always by time, the newest first. */
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** What the hub is asked for: the filters that are set. */
function asked({ state, severity, rule, device, acknowledged, before }: AlertFilters) {
  return {
    state,
    ...(severity && { severity }),
    ...(rule && { rule }),
    ...(device && { device }),
    ...(acknowledged && { acknowledged }),
    ...(before && { before }),
  };
}

/** The alerts of an account, or of all: open ones, or those that are over. */
export function AlertsPage() {
  const session = useSession();
  const navigate = useNavigate();
  const { account, query } = useAlertScope();
  const { filters, isFiltered, change, page, clear } = useAlertFilters();
  const list = alertsApi.useListAlertsQuery({ ...query, ...asked(filters), limit: LIMIT });
  const rows = list.data?.alerts;
  const acknowledging = useDialog<readonly string[]>();
  const selection = useRowSelection({ scope: JSON.stringify([account, filters]), rows, keyOf, nameOf });
  const open = useCallback((alert: Alert) => void navigate(devicePath(alert)), [navigate]);
  const selects = filters.state === 'open' && mayAcknowledge(session, account);
  return (
    <AlertsFrame title={alerts.title}>
      <AlertToolbar filters={filters} deviceName={rows?.[0]?.deviceName} onChange={change} />
      {selects ? (
        <Bar ids={selection.ids} onClear={selection.clear} onAct={() => acknowledging.open(selection.ids)} />
      ) : null}
      {list.error && !list.currentData ? (
        <Failure title={text.failed} error={list.error} retry={list.refetch} />
      ) : (
        <DataTable
          label={text.label[filters.state]}
          columns={alertColumns(filters.state, session.operator && account === ALL)}
          rows={rows}
          rowKey={keyOf}
          state={ORDER}
          onSort={unsorted}
          busy={list.isFetching && !list.currentData}
          selection={selects ? selection.rows : undefined}
          onOpen={open}
          empty={<None state={filters.state} isFiltered={isFiltered} onClear={clear} />}
        />
      )}
      {list.data && list.data.total > 0 ? (
        <Pages alerts={list.data.alerts} total={list.data.total} before={filters.before} onPage={page} />
      ) : null}
      <Dialog control={acknowledging} title={alerts.acknowledge.title(acknowledging.subject?.length ?? 0)}>
        {(ids) => (
          <Acknowledge
            ids={ids}
            onClose={acknowledging.close}
            onDone={() => {
              acknowledging.close();
              selection.clear();
            }}
          />
        )}
      </Dialog>
    </AlertsFrame>
  );
}

/** What can be done with the selected alerts; not there without any. */
function Bar({ ids, onAct, onClear }: { ids: readonly string[]; onAct: () => void; onClear: () => void }) {
  if (ids.length === 0) return null;
  return (
    <SelectionFrame label={alerts.selection.bar} selected={fleet.selection.count(ids.length)} onClear={onClear}>
      <Button size="compact-sm" variant="default" leftSection={<IconCheck size={15} aria-hidden />} onClick={onAct}>
        {alerts.selection.acknowledge}
      </Button>
    </SelectionFrame>
  );
}

interface NoneProps {
  state: AlertFilters['state'];
  isFiltered: boolean;
  onClear: () => void;
}

function None({ state, isFiltered, onClear }: NoneProps) {
  const { to } = useAlertScope();
  if (isFiltered) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {text.clear}
      </Button>
    );
    return <Empty title={text.noMatch} text={text.noMatchText} action={clear} />;
  }
  if (state === 'closed') return <Empty title={text.nonePast} text={text.nonePastText} />;
  const rules = (
    <Button component={Link} to={to('/alerts/rules')} variant="default">
      {text.rules}
    </Button>
  );
  return <Empty title={text.none} text={text.noneText} action={rules} />;
}

interface PagesProps {
  alerts: Alert[];
  total: number;
  before: string | null;
  onPage: (before: string | null) => void;
}

/** How many alerts there are, and the way to older ones. New ones come all the time, so pages have no numbers. */
function Pages({ alerts: shown, total, before, onPage }: PagesProps) {
  const last = shown.at(-1)?.id ?? null;
  return (
    <div className={classes.footer}>
      <Text size="xs" c="dimmed" ff="text">
        {text.shown(shown.length, total)}
      </Text>
      {before !== null || shown.length === LIMIT ? (
        <span>
          <Button size="compact-sm" variant="subtle" disabled={before === null} onClick={() => onPage(null)}>
            {text.newest}
          </Button>
          <Button size="compact-sm" variant="subtle" disabled={shown.length < LIMIT} onClick={() => onPage(last)}>
            {text.older}
          </Button>
        </span>
      ) : null}
    </div>
  );
}
