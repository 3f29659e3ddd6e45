import { Button } from '@mantine/core';
import { IconServer2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { api } from '../../lib/api/api.ts';
import { devicesPath, useClient } from '../../lib/client.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { Attention } from './Attention.tsx';
import { Counts } from './Counts.tsx';
import { Lately } from './Lately.tsx';
import { Welcome } from './Welcome.tsx';
import classes from './HomePage.module.css';

const text = messages.home;

/** The devices' status, items that need attention, and links to all devices. */
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
          <Button component={Link} to={to} leftSection={<IconServer2 size={16} aria-hidden />}>
            {text.viewDevices}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Failure title={messages.devices.failed} error={error} retry={refetch} />
      ) : empty ? (
        <Welcome to={to} />
      ) : (
        <div className={classes.grid}>
          <Counts devices={data?.devices} account={account} />
          <div className={classes.column}>
            <Attention devices={data?.devices} account={account} to={to} />
            <Lately account={account} to={to} />
          </div>
        </div>
      )}
    </Page>
  );
}
