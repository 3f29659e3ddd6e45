import { Kbd, Switch } from '@mantine/core';
import { useState } from 'react';
import { useClient } from '../../lib/client.ts';
import { shortcuts as text } from '../../lib/messages/shortcuts.ts';
import { areSingleKeysOn, chooseSingleKeys } from '../../lib/single-keys.ts';
import { useSession } from '../../lib/session.ts';
import { Fields } from '../../ui/Fields.tsx';
import { ModalFrame } from '../../ui/ModalFrame.tsx';
import { places } from '../places.ts';
import { PLACE_KEYS } from './useShortcuts.ts';

/** Shortcuts of the device page. */
const DEVICE_PAGE = [
  [text.newTerminal, 'S'],
  [text.splitRight, 'E'],
  [text.splitBelow, 'O'],
  [text.otherPane, 'X'],
  [text.nextView, '.'],
  [text.previousView, ','],
] as const;

/** Lists the shortcuts, with the pages that this person has access to. */
export function ShortcutsHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const session = useSession();
  const [client] = useClient();
  const own = places(session, client);
  const pages = Object.entries(PLACE_KEYS).flatMap(([key, name]) => {
    const place = own.find((one) => one.name === name);
    return place ? [{ label: text.go(place.label), value: <Keys keys={['g', key]} /> }] : [];
  });
  return (
    <ModalFrame focusTitle opened={opened} onClose={onClose} title={text.title} size={440}>
      <Fields
        fields={[
          { label: text.palette, value: <Keys keys={['Ctrl', 'K']} /> },
          { label: text.search, value: <Keys keys={['/']} /> },
          { label: text.help, value: <Keys keys={['?']} /> },
          ...pages,
          { label: text.rows, value: <Keys keys={['j', 'k']} /> },
          { label: text.rowPage, value: <Keys keys={['o']} /> },
          { label: text.leaveTerminal, value: <Keys keys={['Ctrl', 'Shift', 'L']} /> },
          { label: text.findInTerminal, value: <Keys keys={['Ctrl', 'Shift', 'F']} /> },
          ...DEVICE_PAGE.map(([label, key]) => ({ label, value: <Keys keys={['Ctrl', 'Shift', key]} /> })),
        ]}
      />
      <SingleKeys />
    </ModalFrame>
  );
}

/** People who use speech input, or who hit keys by accident, can disable single-key shortcuts. */
function SingleKeys() {
  const [on, setOn] = useState(areSingleKeysOn);
  const choose = (wanted: boolean) => {
    chooseSingleKeys(wanted);
    setOn(wanted);
  };
  return (
    <Switch
      mt="md"
      label={text.singleKeys}
      aria-label={text.singleKeys}
      description={text.singleKeysNote}
      checked={on}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  );
}

const Keys = ({ keys }: { keys: string[] }) => (
  <>
    {keys.map((key, index) => (
      <Kbd key={index} mr={4}>
        {key}
      </Kbd>
    ))}
  </>
);
