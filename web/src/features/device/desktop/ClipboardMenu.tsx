import { ActionIcon, Button, Group, Popover, Stack, Switch, Text, Textarea, Tooltip } from '@mantine/core';
import { IconClipboardText } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { desktop } from '../../../lib/messages/desktop.ts';
import { keys } from '../../../lib/storage.ts';
import { usePreference } from '../../../ui/usePreference.ts';
import { inBar } from './in-bar.ts';
import type { DesktopControl } from './useDesktop.ts';

const text = desktop.clipboard;

/** Both clipboards: exchanged manually in a field, or synchronised where the browser permits it. */
export function ClipboardMenu({ desktop: control, disabled }: { desktop: DesktopControl; disabled: boolean }) {
  const [value, setValue] = useState('');
  const sync = useSync(control);
  useEffect(() => setValue(control.copied), [control.copied]);
  return (
    <Popover position="bottom-end" shadow="md" width={320} trapFocus returnFocus {...inBar}>
      <Tooltip label={text.menu}>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={text.menu} disabled={disabled}>
            <IconClipboardText size={18} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Textarea
            label={text.label}
            description={text.note}
            rows={5}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <Group gap="xs" justify="flex-end">
            <Button size="xs" variant="default" onClick={() => void writeLocal(value)}>
              {text.copy}
            </Button>
            <Button size="xs" onClick={() => control.screen()?.paste(value)}>
              {text.send}
            </Button>
          </Group>
          <Switch
            size="xs"
            label={text.sync}
            description={text.syncNote}
            checked={sync.on}
            onChange={(event) => void sync.set(event.currentTarget.checked)}
          />
          {sync.refused ? (
            <Text size="xs" c="var(--state-warn)" role="status">
              {text.syncRefused}
            </Text>
          ) : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/**
 * From device to browser on each copy there; from browser to device when the window or the picture gets the focus.
 * Text copied before the synchronisation started is left alone: it may be older than the other side's.
 */
function useSync(control: DesktopControl) {
  const [on, setOn] = usePreference(keys.desktopClipboard, (kept) => kept === 'true');
  const [refused, setRefused] = useState(false);
  const { copied, host } = control;
  const former = useRef(copied);

  useEffect(() => {
    if (on && copied !== former.current) void writeLocal(copied);
    former.current = copied;
  }, [on, copied]);

  useEffect(() => {
    const place = host.current;
    if (!on || !place) return;
    let last = '';
    const pull = async () => {
      const now = await readLocal();
      if (now === null || now === '' || now === last) return;
      last = now;
      control.screen()?.paste(now);
    };
    const focus = () => void pull();
    place.addEventListener('focusin', focus);
    window.addEventListener('focus', focus);
    if (place.contains(document.activeElement)) focus();
    return () => {
      place.removeEventListener('focusin', focus);
      window.removeEventListener('focus', focus);
    };
  }, [on]);

  const set = async (wanted: boolean) => {
    // The first read makes the browser ask for permission.
    const allowed = !wanted || (await readLocal()) !== null;
    setRefused(!allowed);
    setOn(wanted && allowed);
  };
  return { on, refused, set };
}

async function writeLocal(value: string): Promise<void> {
  await navigator.clipboard?.writeText(value).catch(() => undefined);
}

/** Null if the browser does not report it. */
async function readLocal(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}
