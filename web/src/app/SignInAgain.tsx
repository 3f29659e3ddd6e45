import { Text } from '@mantine/core';
import { leave } from '../lib/leave.ts';
import { signInAgain as text } from '../lib/messages/sign-in-again.ts';
import { recentSignIn } from '../lib/recent-sign-in.ts';
import { DialogForm } from '../ui/DialogForm.tsx';
import { ModalFrame } from '../ui/ModalFrame.tsx';

/** Asks the person to sign in again at their provider, and leads back to this page. */
export function SignInAgain() {
  const close = () => recentSignIn.want(false);
  const confirm = () => {
    const { pathname, search } = window.location;
    leave.to(`/auth/saml/login?${new URLSearchParams({ recent: 'yes', RelayState: `${pathname}${search}` })}`);
  };
  return (
    <ModalFrame opened onClose={close} title={text.title} size={440}>
      <DialogForm confirm={text.confirm} busy={false} onConfirm={confirm} onCancel={close}>
        <Text>{text.lead}</Text>
      </DialogForm>
    </ModalFrame>
  );
}
