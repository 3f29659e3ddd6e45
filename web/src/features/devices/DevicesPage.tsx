import { ALL, mayEnrol } from '../../lib/access.ts';
import { LIMITS } from '@warren/rules/limits';
import { useCallback, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { fieldProblem } from '../../lib/api/field-problem.ts';
import type { Device } from '../../lib/api/types.ts';
import { devicePath, mayManageDevices } from '../../lib/device-access.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { fleet } from '../../lib/messages/fleet.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { ListFooter } from '../../ui/ListFooter.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useLastPage, useListState } from '../../ui/useListState.ts';
import type { ListControl } from '../../ui/useListState.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { AddDeviceButton } from './AddDeviceButton.tsx';
import { DEVICE_SORTS, isLabelSort, ROOM_FOR, type DeviceSort } from './column-ids.ts';
import { deviceColumns } from './columns.tsx';
import { DeviceDetails } from './DeviceDetails.tsx';
import { DeviceDialogs } from './DeviceDialogs.tsx';
import { DevicesToolbar } from './DevicesToolbar.tsx';
import { appliedFilter, textOf, useFilterText } from './filter/filter-state.ts';
import { NoDevices } from './NoDevices.tsx';
import { useSparks } from './sparks/useSparks.ts';
import { useColumns } from './useColumns.ts';
import { useDeviceDialogs } from './useDeviceDialogs.ts';
import { useSelectedDevices } from './useSelectedDevices.tsx';

const LIMIT = LIMITS.pageSize.devices;
const rules: ListRules = { sorts: [...DEVICE_SORTS] as [string, ...string[]], accepts: isLabelSort };
const keyOf = (device: Device) => device.id;

/** The page of devices in the address; `rows` is undefined until it is loaded. A page that failed has none of the one before. */
function useDevices(account: string, { state, pageInstead }: ListControl) {
  const { page, sort, order } = state;
  const query = api.useListDevicesQuery({
    page,
    limit: LIMIT,
    sort: sort as DeviceSort,
    order,
    ...(account === ALL ? {} : { account }),
    ...appliedFilter(state),
  });
  const behind = useLastPage({ page, total: query.currentData?.total, limit: LIMIT }, pageInstead);
  const failed = query.error !== undefined && query.currentData === undefined;
  const shown = failed ? undefined : query.data;
  return { query, failed, rows: behind ? undefined : shown?.devices, total: shown?.total };
}

/** The device in the address whose details are open. */
function useDetails(): [id: string | null, show: (id: string | null) => void] {
  const [query, setQuery] = useSearchParams();
  const show = useCallback(
    (id: string | null) =>
      setQuery((now) => {
        const next = new URLSearchParams(now);
        if (id) next.set('device', id);
        else next.delete('device');
        return next;
      }),
    [setQuery],
  );
  return [query.get('device'), show];
}

/** The devices of one account, or of all of them. */
export function DevicesPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const list = useListState(rules);
  const [details, showDetails] = useDetails();
  const [adding, setAdding] = useState(false);
  const { query: devices, failed, rows, total } = useDevices(account, list);
  const [columns, chooseColumns] = useColumns();
  const sparks = useSparks(rows, columns);
  const [text, filter] = useFilterText(list);
  const name = useAccountName(account);
  const title = account === ALL ? messages.devices.allTitle : messages.devices.accountTitle(name);
  const manages = mayManageDevices(session);
  const dialogs = useDeviceDialogs();
  const selected = useSelectedDevices(account, { list, rows, total: total ?? 0 });
  const open = useCallback((device: Device) => showDetails(device.id), [showDetails]);
  const navigate = useNavigate();
  const openPage = useCallback((device: Device) => void navigate(devicePath(device)), [navigate]);
  const add = mayEnrol(session, account) ? (
    <AddDeviceButton account={account} accountName={name} opened={adding} onOpen={setAdding} />
  ) : null;

  return (
    <Page
      title={messages.devices.title}
      heading={title}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />}
      actions={
        <>
          {account !== ALL ? <AccountMenu account={account} /> : null}
          {add}
        </>
      }
    >
      <DevicesToolbar
        account={account}
        accountName={name}
        list={list}
        text={text}
        onFilter={filter}
        columns={columns}
        onColumns={chooseColumns}
        known={selected.known}
        onKnown={selected.wantKnown}
      />
      {failed ? null : selected.bar}
      {failed && fieldProblem(devices.error, 'filter') !== undefined ? (
        <Failure
          title={fleet.filter.refused}
          error={devices.error}
          retry={() => filter('')}
          retryLabel={messages.common.showAll}
        />
      ) : failed ? (
        <Failure title={messages.devices.failed} error={devices.error} retry={devices.refetch} />
      ) : (
        <DataTable
          label={title}
          columns={deviceColumns({
            operator: session.operator,
            chosen: columns,
            onDetails: showDetails,
            onFilter: (term) => filter(text === '' ? term : `${text} ${term}`),
            sparks,
            dialogs: manages ? dialogs : null,
          })}
          rows={rows}
          rowKey={keyOf}
          state={list.state}
          onSort={list.sort}
          onOpen={open}
          onOpenPage={openPage}
          scrolls={columns.length > ROOM_FOR}
          selection={selected.selection}
          busy={devices.isFetching && !devices.currentData}
          empty={
            <NoDevices
              filter={textOf(list.state)}
              onClear={() => filter('')}
              account={account}
              onAdd={add ? () => setAdding(true) : undefined}
            />
          }
        />
      )}
      {total === undefined ? null : (
        <ListFooter total={total} page={list.state.page} limit={LIMIT} onPage={list.page} />
      )}
      {manages ? <DeviceDialogs dialogs={dialogs} /> : null}
      {selected.dialogs}
      <DeviceDetails id={details} onClose={() => showDetails(null)} />
    </Page>
  );
}
