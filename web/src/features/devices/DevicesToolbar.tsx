import type { KnownValues } from '@warren/rules/filter/complete';
import { ALL } from '../../lib/access.ts';
import type { SavedFilter } from '../../lib/api/types.ts';
import { mayLabelDevice } from '../../lib/device-access.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import type { ListControl } from '../../ui/useListState.ts';
import { bulkActionsOf } from './bulk/bulk-actions.ts';
import { JobsButton } from './bulk/JobsButton.tsx';
import type { DeviceColumn } from './column-ids.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import classes from './DevicesPage.module.css';
import { RenameView } from './views/RenameView.tsx';
import { ReplaceView } from './views/ReplaceView.tsx';
import { FilterBox } from '../../ui/filter/FilterBox.tsx';
import { FilterChips } from '../../ui/filter/FilterChips.tsx';
import { SaveView } from './views/SaveView.tsx';
import { SaveViewButton } from './views/SaveViewButton.tsx';
import { useViews } from './views/useViews.ts';
import { mayChange } from './views/view.ts';
import { ViewsMenu } from './views/ViewsMenu.tsx';
import { ViewUses } from './views/ViewUses.tsx';

interface DevicesToolbarProps {
  account: string;
  accountName: string;
  list: ListControl;
  /** The filter, and how to change it. */
  text: string;
  onFilter: (text: string) => void;
  columns: readonly DeviceColumn[];
  onColumns: (columns: readonly DeviceColumn[]) => void;
  known: KnownValues;
  /** Something is about to need what filters and columns are completed with. */
  onKnown: () => void;
}

/** What chooses the rows and columns of the devices list: saved views, the filter and its terms, the columns. */
export function DevicesToolbar(props: DevicesToolbarProps) {
  const { account, text, onFilter, columns, known, onKnown } = props;
  const session = useSession();
  const views = useViews(account, props.list.state, columns);
  const saving = useDialog<true>();
  const replacing = useDialog<true>();
  const renaming = useDialog<SavedFilter>();
  const using = useDialog<SavedFilter>();
  // The list of all devices is of no account: what is shared there is shared with one's own.
  const owner = account === ALL ? session.account : account;
  const share = mayLabelDevice(session, owner)
    ? { id: owner, name: account === ALL ? session.account_name : props.accountName }
    : undefined;
  const save = () => saving.open(true);
  return (
    <div className={classes.toolbar}>
      <ViewsMenu
        views={views}
        onSave={save}
        onRename={renaming.open}
        onReplace={() => replacing.open(true)}
        onUses={using.open}
      />
      <FilterBox label={messages.devices.search} value={text} known={known} onFilter={onFilter} onFocus={onKnown} />
      <SaveViewButton views={views} onSave={save} />
      <ColumnsMenu
        operator={session.operator}
        chosen={columns}
        labels={Object.keys(known.labels)}
        onOpen={onKnown}
        onChoose={props.onColumns}
      />
      {bulkActionsOf(session).length > 0 ? <JobsButton /> : null}
      <FilterChips filter={text} onFilter={onFilter} />
      <Dialog control={renaming} title={fleet.views.rename}>
        {(view) => <RenameView view={view} onClose={renaming.close} />}
      </Dialog>
      <Dialog control={using} title={fleet.views.uses}>
        {(view) => <ViewUses view={view} onClose={using.close} />}
      </Dialog>
      <Dialog control={replacing} title={fleet.views.replace}>
        {() => (
          <ReplaceView
            views={(views.views ?? []).filter((view) => mayChange(session, view))}
            current={views.current}
            shown={views.shown}
            onClose={replacing.close}
            onDone={({ id }) => {
              replacing.close();
              views.open(id);
            }}
          />
        )}
      </Dialog>
      <Dialog control={saving} title={fleet.views.title}>
        {() => (
          <SaveView
            shown={views.shown}
            share={share}
            onClose={saving.close}
            onDone={({ id }) => {
              saving.close();
              views.open(id);
            }}
          />
        )}
      </Dialog>
    </div>
  );
}
