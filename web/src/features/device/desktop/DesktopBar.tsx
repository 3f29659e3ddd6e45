import { ActionIcon, Tooltip } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { IconArrowsMove, IconKeyboard, IconMaximize, IconMinimize, IconPlugConnectedX } from '@tabler/icons-react';
import { Suspense } from 'react';
import type { ReactNode, RefObject } from 'react';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import { messages } from '../../../lib/messages.ts';
import { useNetwork } from '../../../lib/network.ts';
import { part } from '../../../ui/part.tsx';
import { ClipboardMenu } from './ClipboardMenu.tsx';
import { KeysMenu } from './KeysMenu.tsx';
import { PictureMenu } from './PictureMenu.tsx';
import { statusText, tone } from './status-text.ts';
import type { DesktopControl } from './useDesktop.ts';
import type { PictureControl } from './usePicture.ts';
import frame from '../Session.module.css';
import classes from './Desktop.module.css';

const RecordedMark = part(async () => (await import('../RecordedMark.tsx')).RecordedMark);

interface DesktopBarProps {
  lead: ReactNode;
  name: string;
  /** The person has no account. */
  guest: boolean;
  desktop: DesktopControl;
  picture: PictureControl;
  /** The element for full screen. */
  root: RefObject<HTMLDivElement | null>;
  onKeyboard: () => void;
}

/** One thin bar: the device, the connection's status, the round-trip time, and the desktop's tools. */
export function DesktopBar({ lead, name, guest, desktop, picture, root, onKeyboard }: DesktopBarProps) {
  const { status, latency } = desktop;
  const interrupted = useNetwork().state !== 'online' && status.state === 'connected';
  const shown = status.state === 'connected';
  const words = status.state === 'disconnected' ? text.disconnected(name) : statusText(status, name);
  return (
    <div className={frame.bar}>
      {lead}
      <span
        className={frame.state}
        data-tone={interrupted ? 'wait' : tone(status)}
        data-state={status.state}
        role="status"
      >
        <span className={frame.dot} aria-hidden />
        <span className={frame.stateText}>{interrupted ? messages.network.session : words}</span>
      </span>
      <div className={frame.right}>
        {desktop.recording && shown ? (
          <Suspense>
            <RecordedMark kind="desktop" recording={desktop.recording} guest={guest} />
          </Suspense>
        ) : null}
        <Tooltip label={text.latencyTitle}>
          <span className={`mono ${frame.latency}`}>{latency === null ? '' : text.latency(Math.round(latency))}</span>
        </Tooltip>
        {shown ? (
          <>
            <KeysMenu desktop={desktop} disabled={picture.viewOnly} />
            <ClipboardMenu desktop={desktop} disabled={picture.viewOnly} />
            <Tool label={text.keyboard} className={classes.touch} disabled={picture.viewOnly} onClick={onKeyboard}>
              <IconKeyboard size={18} />
            </Tool>
            {picture.size === 'actual' ? (
              <Tool
                label={text.move}
                className={classes.fingers}
                pressed={picture.move}
                onClick={() => picture.setMove(!picture.move)}
              >
                <IconArrowsMove size={18} />
              </Tool>
            ) : null}
          </>
        ) : null}
        <PictureMenu picture={picture} />
        <FullScreen root={root} />
        {shown ? (
          <Tool label={text.disconnect} className={classes.wide} onClick={desktop.disconnect}>
            <IconPlugConnectedX size={18} />
          </Tool>
        ) : null}
      </div>
    </div>
  );
}

function FullScreen({ root }: { root: RefObject<HTMLDivElement | null> }) {
  const full = useFullscreenElement();
  const toggle = () => {
    full.ref(root.current);
    void full.toggle();
  };
  const label = full.fullscreen ? text.leaveFullscreen : text.fullscreen;
  return (
    <Tool label={label} className={classes.wide} onClick={toggle}>
      {full.fullscreen ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
    </Tool>
  );
}

interface ToolProps {
  label: string;
  className?: string | undefined;
  disabled?: boolean;
  /** Style of toggles. */
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, className, disabled = false, pressed, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'teal' : 'gray'}
        className={className ?? ''}
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
