import { Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { bytes } from '../../../../lib/format.ts';
import { player as text } from '../../../../lib/messages/player.ts';
import { Details } from '../../Details.tsx';
import { momentIn } from '../../times.ts';
import { PlayerFrame, type PlayerProps } from '../PlayerFrame.tsx';
import { usePlayer } from '../usePlayer.ts';
import { DesktopStage, type NotDrawn } from './desktop-stage.ts';
import { NoVncPicture } from './picture.ts';
import classes from '../Player.module.css';
import side from '../Side.module.css';

const NO_MOMENTS: never[] = [];

/** Plays the recording of a desktop. */
export function DesktopPlayer({ recording, tab, isBroken, onError }: PlayerProps) {
  const [query] = useSearchParams();
  const [atMs] = useState(() => momentIn(query.get('t')));
  const [why, setWhy] = useState<NotDrawn | null>(null);
  const mount = (host: HTMLElement) => {
    const stage = new DesktopStage((onStop) => new NoVncPicture(host, onStop), setWhy);
    return { stage, ready: Promise.resolve(), dispose: () => stage.dispose() };
  };
  const control = usePlayer({ recording, atMs, mount });
  const notice = why ? <Notice why={why} /> : null;
  const panel = tab ? (
    <div className={side.panel}>
      <Details recording={recording} isBroken={isBroken} />
    </div>
  ) : null;
  return (
    <PlayerFrame
      recording={recording}
      control={control}
      moments={NO_MOMENTS}
      isBroken={isBroken}
      onError={onError}
      notice={notice}
      panel={panel}
    />
  );
}

function Notice({ why }: { why: NotDrawn }) {
  const { title, text: words } = text.notDrawn[why.kind];
  return (
    <div className={classes.notice} role="status">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" mt={4}>
        {typeof words === 'string' ? words : words(bytes(why.kind === 'gap' ? why.bytes : 0))}
      </Text>
      {why.kind === 'undrawable' && why.reason !== '' ? (
        <Text size="xs" c="dimmed" mt={4}>
          {why.reason}
        </Text>
      ) : null}
    </div>
  );
}
