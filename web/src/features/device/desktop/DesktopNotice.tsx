import { Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { mayManageDevices } from '../../../lib/device-access.ts';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import { useSession } from '../../../lib/session.ts';
import { CommandBox } from '../../../ui/CommandBox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { PlaceDesktop } from '../../../ui/PlaceDesktop.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { useNow } from '../../../ui/useNow.ts';
import { recipeFor, unlockingRecipe } from './help.ts';
import type { Recipe } from './help.ts';
import { statusText, tone } from './status-text.ts';
import type { DesktopControl } from './useDesktop.ts';
import frame from '../Session.module.css';
import classes from './Desktop.module.css';

interface NoticeProps {
  name: string;
  /** Null for a guest, who gets no instructions. */
  device: Device | null;
  desktop: DesktopControl;
}

/** The problem and the next step, over the picture. */
export function DesktopNotice({ name, device, desktop }: NoticeProps) {
  const { status } = desktop;
  if (status.state === 'connected') return null;
  const over = status.state === 'disconnected';
  const line = statusText(status, name);
  const reason = status.reason === line ? undefined : status.reason;
  return (
    <div className={classes.notice} role={tone(status) === 'bad' ? 'alert' : undefined}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {over ? null : <Loader size={20} aria-hidden />}
        <div className={frame.noticeText}>
          <p className={frame.noticeLine}>{line}</p>
          {reason ? <p className={frame.noticeReason}>{reason}</p> : null}
          {status.retryAt === undefined ? null : <NextTry at={status.retryAt} />}
        </div>
        {over ? (
          <Button size="xs" onClick={desktop.reconnect}>
            {text.reconnect}
          </Button>
        ) : null}
      </Group>
      {device && (status.problem === 'refused' || status.problem === 'not_allowed') ? (
        <Help recipe={recipeFor(device)}>
          <Place device={device} />
        </Help>
      ) : null}
      {status.problem === 'locked' ? <Help recipe={unlockingRecipe(status.reason)} /> : null}
    </div>
  );
}

function NextTry({ at }: { at: number }) {
  useNow(250);
  return <p className={frame.noticeReason}>{text.retryIn(Math.max(0, Math.ceil((at - Date.now()) / 1000)))}</p>;
}

/** Instructions for this device. */
function Help({ recipe, children }: { recipe: Recipe; children?: ReactNode }) {
  return (
    <div className={classes.help}>
      <h2 className={classes.helpTitle}>{text.help.title}</h2>
      <Text size="sm">{recipe.text}</Text>
      <CommandBox command={recipe.commands} label={text.help.copy} />
      {children}
    </div>
  );
}

/** The address at which the hub expects the device's VNC server. */
function Place({ device }: { device: Device }) {
  const place = useDialog<Device>();
  const managing = mayManageDevices(useSession());
  const at = device.vnc_ip.includes(':') ? `[${device.vnc_ip}]` : device.vnc_ip;
  return (
    <>
      <Text size="sm" c="dimmed">
        {text.help.address(`${at}:${device.vnc_port}`)}
      </Text>
      {managing ? (
        <Button size="xs" variant="default" onClick={() => place.open(device)}>
          {text.help.place}
        </Button>
      ) : null}
      <Dialog control={place} title={text.place.title}>
        {(subject) => <PlaceDesktop device={subject} onClose={place.close} />}
      </Dialog>
    </>
  );
}
