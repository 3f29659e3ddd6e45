import { Button } from '@mantine/core';
import type { ButtonVariant } from '@mantine/core';
import { forgetClient } from '../lib/client.ts';
import { LOGOUT_PATH } from '../lib/hub-paths.ts';

/** Signs out; the next session starts without a chosen account. */
export function SignOut({ label, variant = 'filled' }: { label: string; variant?: ButtonVariant }) {
  return (
    <Button component="a" href={LOGOUT_PATH} variant={variant} onClick={forgetClient}>
      {label}
    </Button>
  );
}
