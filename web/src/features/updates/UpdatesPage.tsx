import { Button, Skeleton, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { updatesApi } from '../../lib/api/updates.ts';
import { messages } from '../../lib/messages.ts';
import { updates as text } from '../../lib/messages/updates.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { ListFooter } from '../../ui/ListFooter.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { NewRollout } from './NewRollout.tsx';
import { RolloutCard } from './RolloutCard.tsx';
import { Versions } from './Versions.tsx';
import classes from './UpdatesPage.module.css';

const LIMIT = 10;

/** The devices' versions of the agent, and the rollouts of new ones. */
export function UpdatesPage() {
  const dialog = useDialog<true>();
  const begin = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(true)}>
      {text.start}
    </Button>
  );
  return (
    <Page title={text.title} trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />} actions={begin}>
      <div className={classes.grid}>
        <Versions />
        <Rollouts begin={begin} />
      </div>
      <Dialog control={dialog} title={text.start}>
        {() => <NewRollout onClose={dialog.close} />}
      </Dialog>
    </Page>
  );
}

function Rollouts({ begin }: { begin: ReactNode }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = updatesApi.useListRolloutsQuery({ page, limit: LIMIT });
  return (
    <section aria-label={text.rollouts}>
      <h2 className={classes.head}>{text.rollouts}</h2>
      {error && !data ? (
        <Failure title={text.rolloutsFailed} error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton height={180} radius="md" />
      ) : data.total === 0 ? (
        <Empty title={text.none} text={text.noneText} action={begin} />
      ) : (
        <Stack gap="md">
          {data.rollouts.map((rollout) => (
            <RolloutCard key={rollout.id} rollout={rollout} />
          ))}
          <ListFooter total={data.total} page={page} limit={LIMIT} onPage={setPage} />
        </Stack>
      )}
    </section>
  );
}
