import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from 'react-router';
import { devicesPath, useClient } from '../../lib/client.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Empty } from '../../ui/Empty.tsx';
import classes from './DevicePage.module.css';

/** Deleted, moved out of reach, or nonexistent: the console can't distinguish these. */
export function Gone() {
  const session = useSession();
  const [client] = useClient();
  useDocumentTitle(`${messages.details.failed} · Warren`);
  return (
    <div className={classes.failure} role="alert">
      <Empty
        whole
        title={messages.details.failed}
        text={deviceActions.gone}
        action={
          <Button component={Link} to={devicesPath(session, client)} variant="default">
            {deviceActions.goneBack}
          </Button>
        }
      />
    </div>
  );
}
