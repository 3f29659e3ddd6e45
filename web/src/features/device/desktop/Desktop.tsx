import { Suspense, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { nameOf } from '../../../lib/device-access.ts';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import type { Ticket } from '../../../sockets/ticket.ts';
import { part } from '../../../ui/part.tsx';
import type { StageProps } from '../DevicePage.tsx';
import { DesktopBar } from './DesktopBar.tsx';
import { DesktopNotice } from './DesktopNotice.tsx';
import { DesktopQuestion } from './DesktopQuestion.tsx';
import { OnScreenKeyboard } from './OnScreenKeyboard.tsx';
import { useDesktop } from './useDesktop.ts';
import { usePicture } from './usePicture.ts';
import frame from '../Session.module.css';
import classes from './Desktop.module.css';

const RecordingNotice = part(async () => (await import('../RecordingNotice.tsx')).RecordingNotice);

/** The desktop of the device, in all available space. */
export function Desktop({ device, ...props }: StageProps & { embedded?: boolean }) {
  return <DesktopStage id={device.id} name={nameOf(device)} online={isOnline(device)} device={device} {...props} />;
}

interface DesktopStageProps {
  /** The device's id. */
  id: string;
  name: string;
  online: boolean;
  /** Null for a guest, who can't set the device up. */
  device: Device | null;
  lead: ReactNode;
  embedded?: boolean;
  /** Requests the socket tokens of somebody who is no user. */
  ticket?: () => Promise<Ticket>;
}

/** The desktop of a device of which only the name may be known. */
export function DesktopStage({ device, name, lead, embedded = false, ...target }: DesktopStageProps) {
  const picture = usePicture();
  const root = useRef<HTMLDivElement | null>(null);
  const field = useRef<HTMLTextAreaElement | null>(null);
  const desktop = useDesktop({
    ...target,
    options: picture,
    onLatency: picture.measured,
  });
  return (
    <div ref={root} className={frame.root} data-embedded={embedded || undefined}>
      <DesktopBar
        lead={lead}
        name={name}
        guest={device === null}
        desktop={desktop}
        picture={picture}
        root={root}
        onKeyboard={() => field.current?.focus()}
      />
      {desktop.recording?.state === 'waiting' ? (
        <Suspense>
          <RecordingNotice kind="desktop" recording={desktop.recording} />
        </Suspense>
      ) : null}
      <div className={classes.stage}>
        <div
          ref={desktop.host}
          className={classes.host}
          data-device-keys
          data-size={picture.size}
          role="group"
          aria-label={text.label(name)}
        />
        {desktop.question ? (
          <DesktopQuestion name={name} desktop={desktop} question={desktop.question} />
        ) : (
          <DesktopNotice name={name} device={device} desktop={desktop} />
        )}
      </div>
      <OnScreenKeyboard field={field} desktop={desktop} />
    </div>
  );
}

const isOnline = ({ status }: Device) => status === 'Connected';
