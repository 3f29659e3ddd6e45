import { Loader, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import type { RefObject } from 'react';
import type { Recording } from '../../../lib/api/types.ts';
import { errorText } from '../../../lib/api/errors.ts';
import { player as text } from '../../../lib/messages/player.ts';
import { Found } from '../Found.tsx';
import type { Moment } from '../marks/moments.ts';
import type { FoundMarks } from '../marks/scan.ts';
import { momentText } from '../times.ts';
import classes from './Side.module.css';
import type { FindControl } from './useFind.ts';

interface MomentsProps {
  recording: Recording;
  moments: readonly Moment[];
  marks: FoundMarks;
  find: FindControl;
  field: RefObject<HTMLInputElement | null>;
  onSeek: (moment: Moment) => void;
}

/** A search in the recording, and what is marked in it. */
export function Moments({ recording, moments, marks, find, field, onSeek }: MomentsProps) {
  const isSearchable = recording.searchable > 0;
  return (
    <>
      <TextInput
        ref={field}
        type="search"
        size="sm"
        aria-label={text.find}
        placeholder={text.find}
        maxLength={RECORDING_LIMITS.search.max}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={find.typed}
        disabled={!isSearchable}
        description={isSearchable ? undefined : text.notSearchable}
        onChange={(event) => find.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <div role="status" className={classes.state}>
        {find.text === '' ? null : find.isBusy ? (
          <>
            <Loader size={14} aria-hidden /> {text.finding}
          </>
        ) : find.error ? (
          errorText(find.error)
        ) : (
          text.found(find.hits.length, find.hasMore)
        )}
      </div>
      {moments.length > 0 ? (
        <ul className={classes.moments} aria-label={text.moments}>
          {moments.map((moment) => (
            <li key={moment.key}>
              <UnstyledButton className={classes.moment} onClick={() => onSeek(moment)}>
                <span className={classes.at}>{momentText(moment.atMs)}</span>
                <span className={classes.kind} data-kind={moment.kind} aria-hidden />
                <span className={classes.what}>
                  {moment.kind === 'hit' ? <Found line={moment.label} search={find.text} /> : moment.label}
                  {moment.note ? <span className={classes.note}> {moment.note}</span> : null}
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      ) : null}
      <MarksState moments={moments} marks={marks} />
    </>
  );
}

function MarksState({ moments, marks }: { moments: readonly Moment[]; marks: FoundMarks }) {
  const state = marks.isDone ? '' : marks.untilMs > 0 ? text.partly(momentText(marks.untilMs)) : text.looking;
  const shown = state || (moments.length === 0 ? text.none : '');
  if (shown === '') return null;
  return (
    <Text size="xs" c="dimmed" mt="xs">
      {shown}
    </Text>
  );
}
