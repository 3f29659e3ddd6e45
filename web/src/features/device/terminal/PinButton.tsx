import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { terminalsApi } from '../../../lib/api/generated/terminals.ts';
import type { Terminal } from '../../../lib/api/types.ts';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import { failed } from '../../../lib/toast.ts';

interface PinButtonProps {
  device: string;
  one: Terminal;
  /** What the row is called. */
  label: string;
  /** Days that the account allows; null if that is not known now. */
  days: number | null;
  onChanged: () => unknown;
}

/** Keeps a terminal while detached for as long as the account allows, or for ten minutes again. */
export function PinButton({ device, one, label, days, onChanged }: PinButtonProps) {
  const [change, { isLoading }] = terminalsApi.useChangeTerminalMutation();
  const isPinned = one.pin_days > 0;
  const why = one.unpinnable === null ? undefined : text.unpinnable(one.unpinnable);
  const blocked = days === null ? text.pinsUnknown : days === 0 ? text.pinsOff : why;
  const set = async (wanted: number) => {
    try {
      await change({ id: device, session: one.session, changeTerminal: { pin_days: wanted } }).unwrap();
    } catch (error) {
      failed(error, isPinned ? text.unpinFailed : text.pinFailed);
    }
    onChanged();
  };
  const refused = !isPinned && blocked !== undefined;
  const tip = isPinned ? text.unpinTip : (blocked ?? text.pinTip(days ?? 0));
  return (
    <Tooltip label={tip} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        size={28}
        variant="subtle"
        color={isPinned ? 'teal' : 'gray'}
        aria-label={isPinned ? text.unpin(label) : text.pin(label)}
        aria-description={tip}
        aria-disabled={refused || undefined}
        data-disabled={refused || undefined}
        loading={isLoading}
        onClick={() => (refused ? undefined : void set(isPinned ? 0 : (days ?? 0)))}
      >
        {isPinned ? <IconPinFilled size={16} /> : <IconPin size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
