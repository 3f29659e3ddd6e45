import { Suspense, useCallback, useEffect, useState } from 'react';
import { part } from '../../ui/part.tsx';
import { useShortcuts } from './useShortcuts.ts';
import { onShortcutsWanted } from './wanted.ts';

const ShortcutsHelp = part(async () => (await import('./ShortcutsHelp.tsx')).ShortcutsHelp);

/** The shortcuts of every page, and the list of them. */
export function Shortcuts() {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const help = useCallback(() => {
    setWanted(true);
    setOpened(true);
  }, []);
  useShortcuts(help);
  useEffect(() => onShortcutsWanted(help), [help]);
  if (!wanted) return null;
  return (
    <Suspense>
      <ShortcutsHelp opened={opened} onClose={() => setOpened(false)} />
    </Suspense>
  );
}
