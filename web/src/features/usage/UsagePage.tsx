import { Button, Skeleton, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useParams, useSearchParams } from 'react-router';
import { ALL, mayExportUsage, mayReadUsage, maySee } from '../../lib/access.ts';
import { usageApi } from '../../lib/api/generated/usage.ts';
import type { AccountUsage } from '../../lib/api/types.ts';
import { hubNow } from '../../lib/clock.ts';
import { messages } from '../../lib/messages.ts';
import { usage as text } from '../../lib/messages/usage.ts';
import { useSession } from '../../lib/session.ts';
import { useAccountName } from '../../lib/useAccountName.ts';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { Bars } from './Bars.tsx';
import { DayTable } from './DayTable.tsx';
import { boundsOf, daysOf, monthIn, secondsOf } from './month.ts';
import { MonthPicker } from './MonthPicker.tsx';
import { Totals } from './Totals.tsx';
import { bytesOf, sessionSeconds, totalOf, withUnusedDays } from './usage.ts';
import classes from './Usage.module.css';

/** The usage of an account in a month of UTC. */
export function UsagePage() {
  const session = useSession();
  const { account_id: account = ALL } = useParams();
  const [query, setQuery] = useSearchParams();
  const now = hubNow();
  const month = monthIn(query.get('month'), now);
  const name = useAccountName(account);
  const may = mayReadUsage(session, account);
  const answer = usageApi.useGetAccountUsageQuery(
    { id: account, step: 'day', ...boundsOf(month) },
    { skip: !may, refetchOnMountOrArgChange: true },
  );
  const { currentData, error, refetch } = answer;
  const steps = [
    { label: messages.nav.home, to: '/' },
    maySee(session, 'accounts')
      ? { label: name, to: `/accounts/${account}` }
      : { label: messages.nav.devices, to: `/devices/${account}` },
  ];
  return (
    <Page
      title={text.title}
      heading={text.heading(name)}
      trail={<Trail steps={steps} />}
      actions={
        <>
          <MonthPicker month={month} now={now} onChoose={(chosen) => setQuery({ month: chosen }, { replace: true })} />
          {mayExportUsage(session) ? <Export month={month} /> : null}
        </>
      }
    >
      {!may ? (
        <Text>{text.refused}</Text>
      ) : error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <Month usage={currentData?.usage} month={month} now={now} />
      )}
    </Page>
  );
}

interface MonthProps {
  /** Undefined while loading. */
  usage: AccountUsage['usage'] | undefined;
  month: string;
  now: number;
}

function Month({ usage, month, now }: MonthProps) {
  const days = usage && withUnusedDays(daysOf(month, now), usage);
  const total = days && totalOf(days);
  const unit = byteUnit(Math.max(0, ...(days ?? []).map(bytesOf)));
  return (
    <div className={classes.month}>
      <Text c="dimmed" size="sm">
        {text.lead}
      </Text>
      {days && total ? (
        <>
          <Totals used={total} seconds={secondsOf(month, now)} />
          <div className={classes.charts}>
            <Bars
              title={text.traffic}
              unit={unit.name}
              values={days.map((day) => ({ start: day.start, value: bytesOf(day) / unit.size }))}
            />
            <Bars
              title={text.sessions}
              unit={text.hours}
              values={days.map((day) => ({ start: day.start, value: sessionSeconds(day) / 3_600 }))}
            />
          </div>
        </>
      ) : (
        <Skeleton height={280} radius="md" />
      )}
      <DayTable days={days} />
    </div>
  );
}

function Export({ month }: { month: string }) {
  return (
    <Button
      component="a"
      download
      href={`/api/usage/export?month=${month}`}
      variant="default"
      title={text.exportHint}
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {text.export}
    </Button>
  );
}

/** The largest unit in which the largest value is 1 or more. */
function byteUnit(most: number): { name: string; size: number } {
  const names = ['KiB', 'MiB', 'GiB', 'TiB'];
  const step = most < 1024 ? 1 : Math.min(names.length, Math.floor(Math.log2(most) / 10));
  return { name: names[step - 1] ?? 'KiB', size: 1024 ** step };
}
