import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { messages } from '../../lib/messages.ts';
import { hint } from '../../ui/hint.ts';
import { part } from '../../ui/part.tsx';

const Palette = part(async () => (await import('./Palette.tsx')).Palette);
const text = messages.palette;

/** Opens the palette, like Ctrl-K everywhere except in a terminal or a desktop, which use that key themselves. */
export function PaletteButton() {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const open = () => {
    setWanted(true);
    setOpened(true);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (event.target instanceof Element && event.target.closest('.xterm, [data-device-keys]')) return;
      event.preventDefault();
      setWanted(true);
      setOpened((was) => !was);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <ActionIcon
        {...hint(`${text.open} (${text.shortcut})`, 'below')}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={text.open}
        aria-keyshortcuts="Control+K"
        onClick={open}
      >
        <IconSearch size={18} />
      </ActionIcon>
      {wanted ? (
        <Suspense>
          <Palette opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
