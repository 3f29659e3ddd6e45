import { ActionIcon, Indicator, Loader, Popover } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Suspense } from 'react';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import { part } from '../../../ui/part.tsx';
import type { TerminalControl } from './useTerminal.ts';

const PeoplePanel = part(async () => (await import('./PeoplePanel.tsx')).PeoplePanel);

/** Shows who is in the terminal. */
export function PeopleButton({ device, terminal }: { device: string; terminal: TerminalControl }) {
  const { people, requests } = terminal.sharing;
  if (people.length === 0) return null;
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus>
      <Indicator disabled={people.length < 2} label={people.length} size={15} offset={6} color="teal">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text.share}
            data-asked={requests.length > 0 || undefined}
          >
            <IconUsers size={18} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p="sm">
        <Suspense fallback={<Loader size={20} />}>
          <PeoplePanel device={device} terminal={terminal} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
