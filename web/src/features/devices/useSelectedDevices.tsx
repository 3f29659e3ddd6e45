import type { KnownValues } from '@warren/rules/filter/complete';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { ALL } from '../../lib/access.ts';
import type { Device } from '../../lib/api/types.ts';
import { mayLabelDevice } from '../../lib/device-access.ts';
import { bulk } from '../../lib/messages/bulk.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { useSession } from '../../lib/session.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import type { ListControl } from '../../ui/useListState.ts';
import type { RowSelection } from '../../ui/useRowKeys.ts';
import { bulkActionsOf, type BulkAction } from './bulk/bulk-actions.ts';
import { BulkDialog, type BulkTarget } from './bulk/BulkDialog.tsx';
import { EditLabels } from './EditLabels.tsx';
import { textOf } from './filter/filter-state.ts';
import { useKnownValues, useReferable } from '../../ui/filter/useKnownValues.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useSelection, type NamedDevice } from './useSelection.ts';

interface List {
  list: ListControl;
  rows: Device[] | undefined;
  total: number;
}

interface SelectedDevices {
  known: KnownValues;
  wantKnown: () => void;
  /** Undefined for people who may do nothing with many devices. */
  selection: RowSelection<Device> | undefined;
  bar: ReactNode;
  dialogs: ReactNode;
}

/** Selecting devices, and what can be done with them; people who may do nothing get neither checkboxes nor a bar. */
export function useSelectedDevices(account: string, { list, rows, total }: List): SelectedDevices {
  const session = useSession();
  const [wanted, setWanted] = useState(false);
  const known = useReferable(account, useKnownValues(account, rows, wanted), { wanted });
  const labelling = useDialog<true>();
  const acting = useDialog<{ action: BulkAction; target: BulkTarget }>();
  // A page that leads here says what to select.
  const { select = [] } = (useLocation().state ?? {}) as { select?: NamedDevice[] };
  const selection = useSelection(`${account} ${textOf(list.state)}`, rows, { total, initial: select });
  const wantKnown = () => setWanted(true);
  const actions = bulkActionsOf(session);
  const labels = mayLabelDevice(session, account);
  if (!labels && actions.length === 0) return { known, wantKnown, selection: undefined, bar: null, dialogs: null };
  const scope = account === ALL ? {} : { account };
  const devices = selection.isAll ? { ...scope, filter: textOf(list.state) } : { ids: selection.ids };
  const target = {
    devices,
    count: selection.count,
    names: selection.names,
    account: account === ALL ? '' : account,
  };
  const done = (close: () => void) => () => {
    close();
    selection.clear();
  };
  const onLabel = () => {
    wantKnown();
    labelling.open(true);
  };
  return {
    known,
    wantKnown,
    selection: selection.rows,
    bar: (
      <SelectionBar
        selection={selection}
        total={total}
        onLabel={labels ? onLabel : undefined}
        actions={actions}
        onAction={(action) => acting.open({ action, target })}
      />
    ),
    dialogs: (
      <>
        <Dialog control={labelling} title={fleet.labels.bulkTitle(selection.count)}>
          {() => (
            <EditLabels
              devices={devices}
              known={known.labels}
              onClose={labelling.close}
              onDone={done(labelling.close)}
            />
          )}
        </Dialog>
        <Dialog
          control={acting}
          title={acting.subject ? bulk.dialog.titles[acting.subject.action](acting.subject.target.count) : ''}
        >
          {(subject) => <BulkDialog {...subject} onClose={acting.close} onDone={done(acting.close)} />}
        </Dialog>
      </>
    ),
  };
}
