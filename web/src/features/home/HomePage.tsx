import { Button } from '@mantine/core';
import { IconServer2 } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { historyApi } from '../../lib/api/history.ts';
import { devicesPath, useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { home as text } from '../../lib/messages/home.ts';
import { useSession } from '../../lib/session.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { part } from '../../ui/part.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { AgentVersions } from './AgentVersions.tsx';
import { Counts, type DeviceCounts } from './Counts.tsx';
import { Lately } from './Lately.tsx';
import { OpenAlerts } from './OpenAlerts.tsx';
import { Ranking, type RankingName } from './Ranking.tsx';
import { ScreenButton } from './ScreenButton.tsx';
import classes from './HomePage.module.css';

const Welcome = part(async () => (await import('./Welcome.tsx')).Welcome);

const RENEW_MS = 30_000;
const RANKINGS: readonly RankingName[] = [
  'longest_offline',
  'failed_updates',
  'fullest_disks',
  'hottest',
  'least_memory',
  'newest',
];

/** The fleet at a glance: each figure leads to the devices behind it. */
export function HomePage() {
  const session = useSession();
  const [client] = useClient();
  const account = session.operator && client !== ALL ? client : undefined;
  const { data, error, refetch } = api.useGetHomeQuery(account ? { account } : {});
  const to = devicesPath(session, client);
  const empty = data?.devices.total === 0;
  return (
    <Page
      title={text.title}
      trail={<Trail steps={[{ label: session.account_name }]} />}
      actions={
        // Without devices, the welcome links there.
        !empty && (
          <>
            <ScreenButton />
            <Button component={Link} to={to} leftSection={<IconServer2 size={16} aria-hidden />}>
              {text.viewDevices}
            </Button>
          </>
        )
      }
    >
      {error && !data ? (
        <Failure title={messages.devices.failed} error={error} retry={refetch} />
      ) : empty ? (
        <Suspense>
          <Welcome to={to} />
        </Suspense>
      ) : (
        <Widgets devices={data?.devices} account={account} to={to} />
      )}
    </Page>
  );
}

interface WidgetsProps {
  devices: DeviceCounts | undefined;
  /** The account; undefined for all accessible ones. */
  account: string | undefined;
  /** The path of the devices' list. */
  to: string;
}

function Widgets({ devices, account, to }: WidgetsProps) {
  const { currentData, error, refetch } = historyApi.useGetOverviewQuery(account ? { account } : {}, {
    pollingInterval: RENEW_MS,
    skipPollingIfUnfocused: true,
  });
  return (
    <div className={classes.grid}>
      <Counts devices={devices} account={account} to={to} />
      <OpenAlerts account={account} />
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        RANKINGS.map((name) => <Ranking key={name} name={name} overview={currentData} to={to} />)
      )}
      <AgentVersions versions={currentData?.versions ?? null} to={to} />
      <Lately account={account} to={to} />
    </div>
  );
}
