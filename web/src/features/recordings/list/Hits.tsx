import { Loader, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Recording } from '../../../lib/api/types.ts';
import type { SearchRecordingsApiArg } from '../../../lib/api/generated/recordings.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { time } from '../../../lib/format.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Pages } from '../../../ui/Pages.tsx';
import { Found } from '../Found.tsx';
import { personOf } from '../person.ts';
import { momentPath, momentText } from '../times.ts';
import classes from './list.module.css';
import type { useRecordingFilters } from './useRecordingFilters.ts';

const LIMIT = 50;

interface HitsProps {
  search: string;
  control: ReturnType<typeof useRecordingFilters>;
}

/** Lines that were on a screen, by session, newest first. Each opens its moment. */
export function Hits({ search, control }: HitsProps) {
  const { filters, asked, isAll } = control;
  const { currentData, error, refetch } = useHits({
    ...asked.common,
    search,
    limit: LIMIT,
    ...(filters.cursor && { cursor: filters.cursor }),
  });
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  if (!currentData)
    return (
      <div className={classes.searching} role="status">
        <Loader size={20} aria-hidden />
        <Text c="dimmed">{text.searching}</Text>
      </div>
    );
  const { hits, recordings, next } = currentData;
  const session = new Map(recordings.map((one) => [one.id, one]));
  const ids = [...new Set(hits.map(({ recording }) => recording))];
  if (hits.length === 0) return <Empty title={text.noHits} text={text.noHitsText} />;
  return (
    <>
      <div className={classes.frame}>
        {ids.map((id) => {
          const one = session.get(id);
          if (!one) return null;
          return (
            <div key={id} className={classes.group}>
              <h2 className={classes.session}>{titleOf(one, isAll)}</h2>
              <ul className={classes.hits} aria-label={text.hitsIn(one.device.name)}>
                {hits
                  .filter(({ recording }) => recording === id)
                  .map(({ atMs, offset, line }) => (
                    <li key={offset}>
                      <Link to={momentPath(id, atMs, search)} className={classes.hit}>
                        <span className={classes.moment}>{momentText(atMs)}</span>
                        <Found line={line} search={search} />
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          );
        })}
      </div>
      <Pages
        cursor={filters.cursor}
        next={next}
        first={text.firstHits}
        more={text.moreHits}
        onPage={(cursor) => control.page({ cursor })}
      />
    </>
  );
}

const titleOf = ({ device, person, started, account }: Recording, withAccount: boolean) =>
  [device.name, personOf(person.email), time(started), ...(withAccount ? [account.name] : [])].join(' · ');

/** Reads a page of hits. The hub ends a page after a short time, also without a hit: the search then continues. */
function useHits(query: SearchRecordingsApiArg) {
  const key = JSON.stringify(query);
  const [reached, setReached] = useState({ key, cursor: query.cursor });
  if (reached.key !== key) setReached({ key, cursor: query.cursor });
  const cursor = reached.key === key ? reached.cursor : query.cursor;
  const answer = recordingsApi.useSearchRecordingsQuery({ ...query, ...(cursor && { cursor }) });
  const { currentData } = answer;
  const next = currentData?.hits.length === 0 ? currentData.next : null;
  useEffect(() => {
    if (next) setReached({ key, cursor: next });
  }, [key, next]);
  return { ...answer, currentData: next ? undefined : currentData };
}
