import { Text } from '@mantine/core';
import { useState } from 'react';
import { leave } from '../lib/leave.ts';
import { signInAgain as text } from '../lib/messages/sign-in-again.ts';
import { recentSignIn } from '../lib/recent-sign-in.ts';
import { hasUnsaved } from '../lib/typed.ts';
import { DialogForm } from '../ui/DialogForm.tsx';
import { ModalFrame } from '../ui/ModalFrame.tsx';

/** Asks the person to sign in again at their provider: on this page, or in a new tab if the page holds unsent input. */
export function SignInAgain() {
  const [typed] = useState(hasUnsaved);
  const close = () => recentSignIn.want(false);
  const confirm = () => {
    const { pathname, search } = window.location;
    const path = `/auth/saml/login?${new URLSearchParams({ recent: 'yes', RelayState: `${pathname}${search}` })}`;
    if (!typed) return leave.to(path);
    window.open(path, '_blank', 'noopener');
    close();
  };
  return (
    <ModalFrame opened onClose={close} title={text.title} size={440}>
      <DialogForm confirm={typed ? text.confirmTyped : text.confirm} busy={false} onConfirm={confirm} onCancel={close}>
        <Text>{typed ? text.leadTyped : text.lead}</Text>
      </DialogForm>
    </ModalFrame>
  );
}
