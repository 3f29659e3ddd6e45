import { Button, ScrollArea, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { accessApi } from '../../lib/api/access.ts';
import type { AccessPreview } from '../../lib/api/types.ts';
import { access } from '../../lib/messages/access.ts';
import { Failure } from '../../ui/Failure.tsx';
import classes from './Losses.module.css';
import { lossText, previewOf } from './loss-text.ts';

const text = access.losses;

interface LossesProps {
  account: string;
  preview: AccessPreview;
}

/** Who loses what with explicit grants: the totals, then the members, those who lose most first. */
export function Losses({ account, preview }: LossesProps) {
  const [pages, setPages] = useState(1);
  const { devices, losing, members, total, service_accounts: programs } = preview;
  if (total === 0 && programs.length === 0) return <Text role="status">{text.nobody}</Text>;
  const shown = Math.min(total, members.length * pages);
  return (
    <div>
      <div role="status" className={classes.totals}>
        <Text fw={600}>{text.summary(losing, programs.length)}</Text>
        {losing.members + losing.service_accounts > 0 ? <Text>{text.byPermission(losing.permissions)}</Text> : null}
      </div>
      <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': access.members }}>
        <ul className={classes.list} aria-label={access.members}>
          <Members members={members} devices={devices} />
          {Array.from({ length: pages - 1 }, (_, place) => (
            <Page key={place} account={account} page={place + 2} devices={devices} />
          ))}
        </ul>
        {shown < total ? (
          <Button variant="default" size="compact-sm" mt={12} onClick={() => setPages(pages + 1)}>
            {text.more(shown, total)}
          </Button>
        ) : null}
        {programs.length > 0 ? (
          <>
            <Text fw={600} size="sm" c="dimmed" mt={16} mb={8}>
              {text.programs}
            </Text>
            <ul className={classes.list} aria-label={text.programs}>
              <Members members={programs} devices={devices} />
            </ul>
          </>
        ) : null}
      </ScrollArea.Autosize>
    </div>
  );
}

function Page({ account, page, devices }: { account: string; page: number; devices: number }) {
  const { currentData, error, refetch } = accessApi.usePreviewAccessQuery(previewOf(account, page));
  if (currentData) return <Members members={currentData.members} devices={devices} />;
  return <li>{error ? <Failure title={text.failed} error={error} retry={refetch} /> : <Skeleton height={48} />}</li>;
}

interface MembersProps {
  members: (AccessPreview['members'][number] | AccessPreview['service_accounts'][number])[];
  devices: number;
}

function Members({ members, devices }: MembersProps) {
  return members.map((member) => (
    <li key={member.id} className={classes.member}>
      <Text fw={600}>{'email' in member ? member.name || member.email : member.name}</Text>
      <Text size="sm">{lossText(member.loses, devices)}</Text>
      <Text size="sm" c="dimmed">
        {text.views(member.devices, devices)}
      </Text>
    </li>
  ));
}
