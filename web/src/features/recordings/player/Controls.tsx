import { ActionIcon, Button, NativeSelect, Switch, Tooltip } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconKeyboard,
  IconLink,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerRecordFilled,
  IconRepeat,
  IconRewindBackward5,
  IconRewindForward5,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { player as text } from '../../../lib/messages/player.ts';
import { momentText } from '../times.ts';
import { SPEEDS, type Speed } from './clock.ts';
import type { PlayerKey } from './player-keys.ts';
import type { PlayerState } from './player-state.ts';
import classes from './Player.module.css';

interface ControlsProps {
  state: PlayerState;
  isLive: boolean;
  isFull: boolean;
  isCopied: boolean;
  act: (key: PlayerKey) => void;
  onSpeed: (speed: Speed) => void;
  onSkipIdle: (skips: boolean) => void;
  onFollow: () => void;
}

/** The controls below the timeline. */
export function Controls({ state, isLive, isFull, isCopied, act, onSpeed, onSkipIdle, onFollow }: ControlsProps) {
  const { plays, status } = state;
  const isOver = status === 'ended' || status === 'failed';
  return (
    <div className={classes.controls} role="group" aria-label={text.controls}>
      <Control
        label={status === 'ended' ? text.again : plays && !isOver ? text.pause : text.play}
        icon={status === 'ended' ? IconRepeat : plays && !isOver ? IconPlayerPauseFilled : IconPlayerPlayFilled}
        act={() => act('toggle')}
        filled
      />
      <Control label={text.back} icon={IconRewindBackward5} act={() => act('back')} />
      <Control label={text.forward} icon={IconRewindForward5} act={() => act('forward')} />
      <span className={classes.time}>
        {momentText(state.positionMs)} / {momentText(state.durationMs)}
      </span>
      {isLive ? (
        <Button
          size="compact-sm"
          variant={state.follows ? 'light' : 'default'}
          aria-pressed={state.follows}
          title={text.followHint}
          leftSection={<IconPlayerRecordFilled size={12} aria-hidden className={classes.liveIcon} />}
          onClick={onFollow}
        >
          {state.follows ? text.following : text.follow}
        </Button>
      ) : null}
      <div className={classes.right}>
        <Switch
          size="xs"
          label={text.skipIdle}
          title={text.skipIdleHint}
          checked={state.skipsIdle}
          onChange={(event) => onSkipIdle(event.currentTarget.checked)}
        />
        <NativeSelect
          size="xs"
          aria-label={text.speed}
          className={classes.speed}
          data={SPEEDS.map((speed) => ({ value: String(speed), label: text.times(speed) }))}
          value={String(state.speed)}
          onChange={(event) => onSpeed(Number(event.currentTarget.value) as Speed)}
        />
        <Control label={isCopied ? text.copied : text.copyLink} icon={IconLink} act={() => act('link')} />
        <span className={classes.wideOnly}>
          <Control label={text.keys} icon={IconKeyboard} act={() => act('help')} />
        </span>
        <Control
          label={isFull ? text.leaveFull : text.full}
          icon={isFull ? IconArrowsMinimize : IconArrowsMaximize}
          act={() => act('full')}
        />
      </div>
    </div>
  );
}

interface ControlProps {
  label: string;
  icon: Icon;
  act: () => void;
  filled?: boolean;
}

function Control({ label, icon: Shape, act, filled = false }: ControlProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={34}
        variant={filled ? 'filled' : 'subtle'}
        {...(!filled && { color: 'gray' })}
        aria-label={label}
        onClick={act}
      >
        <Shape size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
