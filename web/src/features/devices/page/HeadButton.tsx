import { Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router';
import { REASON_SHOWN_ON } from '../../../ui/Reboot.tsx';
import type { RowAction } from '../../../ui/RowMenu.tsx';

/** An action on the device as a button in the head of its page. One that can't be done now says why. */
export function HeadButton({ action }: { action: RowAction }) {
  const reason = useId();
  const { label, unavailable } = action;
  const isOff = unavailable !== undefined;
  const icon = <action.icon size={15} aria-hidden />;
  if ('to' in action) {
    return (
      <Button component={Link} to={action.to} variant="default" size="compact-sm" leftSection={icon}>
        {label}
      </Button>
    );
  }
  return (
    <>
      <Tooltip label={unavailable} disabled={!isOff} events={REASON_SHOWN_ON}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={icon}
          // Not `disabled`, which takes the focus and the taps.
          aria-disabled={isOff || undefined}
          data-disabled={isOff || undefined}
          aria-describedby={isOff ? reason : undefined}
          onClick={isOff ? undefined : action.act}
        >
          {label}
        </Button>
      </Tooltip>
      {isOff ? <VisuallyHidden id={reason}>{unavailable}</VisuallyHidden> : null}
    </>
  );
}
