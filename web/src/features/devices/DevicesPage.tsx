import { LIMITS } from '@warren/rules/limits';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { ALL, mayEnrol } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { appliedSearch } from '../../lib/list-state.ts';
import type { ListRules } from '../../lib/list-state.ts';
import { mayManageDevices } from '../../lib/device-access.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { ListFooter } from '../../ui/ListFooter.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useLastPage, useListState } from '../../ui/useListState.ts';
import type { ListControl } from '../../ui/useListState.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { AddDeviceButton } from './AddDeviceButton.tsx';
import { deviceColumns } from './columns.tsx';
import { DeviceDetails } from './DeviceDetails.tsx';
import { DeviceDialogs } from './DeviceDialogs.tsx';
import { NoDevices } from './NoDevices.tsx';
import { useDeviceDialogs } from './useDeviceDialogs.ts';

const LIMIT = LIMITS.pageSize.devices;
const rules: ListRules = { sorts: ['status', 'name', 'account'] };

type Sort = 'status' | 'name' | 'account';

/** The page of devices in the address; `rows` is undefined until it is loaded. */
function useDevices(account: string, { state, pageInstead }: ListControl) {
  const { page, sort, order } = state;
  const search = appliedSearch(state);
  const query = api.useListDevicesQuery({
    page,
    limit: LIMIT,
    sort: sort as Sort,
    order,
    ...(account === ALL ? {} : { account }),
    ...(search ? { search } : {}),
  });
  const behind = useLastPage({ page, total: query.currentData?.total, limit: LIMIT }, pageInstead);
  return { query, rows: behind ? undefined : query.data?.devices };
}

/** The devices of one account, or of all of them. */
export function DevicesPage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const list = useListState(rules);
  const [query, setQuery] = useSearchParams();
  const [adding, setAdding] = useState(false);
  const dialogs = useDeviceDialogs();
  const manages = mayManageDevices(session);
  const search = appliedSearch(list.state);
  const { query: devices, rows } = useDevices(account, list);
  const name = useAccountName(account);
  const title = account === ALL ? messages.devices.allTitle : messages.devices.accountTitle(name);

  const details = query.get('device');
  const showDetails = (id: string | null) =>
    setQuery((now) => {
      const next = new URLSearchParams(now);
      if (id) next.set('device', id);
      else next.delete('device');
      return next;
    });
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
          <SearchBox label={messages.devices.search} value={list.state.search} onSearch={list.search} />
          {account !== ALL ? <AccountMenu account={account} /> : null}
          {add}
        </>
      }
    >
      {devices.error && !devices.currentData ? (
        <Failure title={messages.devices.failed} error={devices.error} retry={devices.refetch} />
      ) : (
        <DataTable
          label={title}
          columns={deviceColumns({
            operator: session.operator,
            onDetails: showDetails,
            dialogs: manages ? dialogs : null,
          })}
          rows={rows}
          rowKey={(device) => device.id}
          state={list.state}
          onSort={list.sort}
          busy={devices.isFetching && !devices.currentData}
          empty={
            <NoDevices search={search} list={list} account={account} onAdd={add ? () => setAdding(true) : undefined} />
          }
        />
      )}
      {devices.data ? (
        <ListFooter total={devices.data.total} page={list.state.page} limit={LIMIT} onPage={list.page} />
      ) : null}
      {manages ? <DeviceDialogs dialogs={dialogs} /> : null}
      <DeviceDetails id={details} onClose={() => showDetails(null)} />
    </Page>
  );
}
