import { Text } from '@mantine/core';
import { messages } from '../lib/messages.ts';
import { DialogForm } from '../ui/DialogForm.tsx';
import { ModalFrame } from '../ui/ModalFrame.tsx';

const text = messages.unsent;

/** Asks before a page is left on which something was typed and not saved. */
export function LeaveQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <ModalFrame opened onClose={onStay} title={text.title} size={440}>
      <DialogForm danger confirm={text.leave} dismiss={text.stay} busy={false} onConfirm={onLeave} onCancel={onStay}>
        <Text>{text.lead}</Text>
      </DialogForm>
    </ModalFrame>
  );
}
