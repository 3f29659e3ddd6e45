import { Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleDashed,
  IconPlayerRecord,
  IconShieldCheck,
  IconShieldX,
  type Icon,
} from '@tabler/icons-react';
import type { Recording } from '../../lib/api/types.ts';
import { recordings as text } from '../../lib/messages/recordings.ts';
import classes from './Integrity.module.css';

type State = keyof typeof text.integrity;

const ICONS: Readonly<Record<State, Icon>> = {
  open: IconPlayerRecord,
  signed: IconShieldCheck,
  gaps: IconAlertTriangle,
  unsigned: IconCircleDashed,
  broken: IconShieldX,
};

/** Whether a recording is all that was shown, and proves it. @param isBroken part of it was changed in its store */
function integrityOf({ ended, signed, gaps }: Pick<Recording, 'ended' | 'signed' | 'gaps'>, isBroken: boolean): State {
  if (isBroken) return 'broken';
  if (ended === null) return 'open';
  if (gaps > 0) return 'gaps';
  return signed ? 'signed' : 'unsigned';
}

interface IntegrityProps {
  recording: Pick<Recording, 'ended' | 'signed' | 'gaps'>;
  isBroken: boolean;
  /** Says what it means below the word, rather than on hover. */
  explains?: boolean;
}

export function Integrity({ recording, isBroken, explains = false }: IntegrityProps) {
  const state = integrityOf(recording, isBroken);
  const Shape = ICONS[state];
  const word = (
    <span className={classes.word} data-state={state}>
      <Shape size={15} aria-hidden />
      {text.integrity[state]}
    </span>
  );
  if (explains)
    return (
      <>
        {word}
        <span className={classes.hint}>{text.integrityHint[state]}</span>
      </>
    );
  return (
    <Tooltip label={text.integrityHint[state]} multiline maw={320}>
      {word}
    </Tooltip>
  );
}
