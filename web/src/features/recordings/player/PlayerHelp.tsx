import { Kbd } from '@mantine/core';
import { player as text } from '../../../lib/messages/player.ts';
import { Fields } from '../../../ui/Fields.tsx';
import { ModalFrame } from '../../../ui/ModalFrame.tsx';

/** The keys of the player. */
export function PlayerHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <ModalFrame focusTitle opened={opened} onClose={onClose} title={text.keys} size={440}>
      <Fields
        fields={text.help.map(([label, keys]) => ({
          label,
          value: keys.map((key) => (
            <Kbd key={key} mr={4}>
              {key}
            </Kbd>
          )),
        }))}
      />
    </ModalFrame>
  );
}
