import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Suspense } from 'react';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { part } from '../../../ui/part.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import type { TerminalControl } from './useTerminal.ts';

const TerminalList = part(async () => (await import('./TerminalList.tsx')).TerminalList);

/** Opens the list of the person's terminals. */
export function TerminalsButton({ device, terminal }: { device: string; terminal: TerminalControl }) {
  const dialog = useDialog<true>();
  return (
    <>
      <Tooltip label={text.title}>
        <ActionIcon variant="subtle" color="gray" aria-label={text.title} onClick={() => dialog.open(true)}>
          <IconStack2 size={18} />
        </ActionIcon>
      </Tooltip>
      <Dialog control={dialog} title={text.title} focusTitle>
        {() => (
          <Suspense fallback={<Loader size={20} />}>
            <TerminalList device={device} terminal={terminal} onClose={dialog.close} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
