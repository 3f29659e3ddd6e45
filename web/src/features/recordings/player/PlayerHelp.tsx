import { Kbd } from '@mantine/core';
import { player as text } from '../../../lib/messages/player.ts';
import { Fields } from '../../../ui/Fields.tsx';
import { ModalFrame } from '../../../ui/ModalFrame.tsx';

interface PlayerHelpProps {
  /** The recording has moments, and text that can be searched for. */
  isSearchable: boolean;
  opened: boolean;
  onClose: () => void;
}

/** The keys of the player. */
export function PlayerHelp({ isSearchable, opened, onClose }: PlayerHelpProps) {
  const keys = isSearchable ? [...text.help, ...text.helpMoments] : text.help;
  return (
    <ModalFrame focusTitle opened={opened} onClose={onClose} title={text.keys} size={440}>
      <Fields
        fields={keys.map(([label, names]) => ({
          label,
          value: names.map((key) => (
            <Kbd key={key} mr={4}>
              {key}
            </Kbd>
          )),
        }))}
      />
    </ModalFrame>
  );
}
