import { Button } from '@mantine/core';
import type { ButtonVariant } from '@mantine/core';
import { forgetClient } from '../lib/client.ts';
import { LOGOUT_PATH } from '../lib/hub-paths.ts';

/** Ends the session; the next one starts with no account chosen. */
export function SignOut({ label, variant = 'filled' }: { label: string; variant?: ButtonVariant }) {
  return (
    <Button component="a" href={LOGOUT_PATH} variant={variant} onClick={forgetClient}>
      {label}
    </Button>
  );
}
