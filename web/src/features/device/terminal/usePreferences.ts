import { keys } from '../../../lib/storage.ts';
import { usePreference } from '../../../ui/usePreference.ts';

const SMALLEST = 9;
const LARGEST = 24;
const USUAL = 14;

export interface TerminalPreferences {
  fontSize: number;
  screenReader: boolean;
}

export interface PreferenceControl extends TerminalPreferences {
  smaller: (() => void) | null;
  larger: (() => void) | null;
  setScreenReader: (on: boolean) => void;
}

/** This person's terminal preferences, kept in this browser. */
export function usePreferences(): PreferenceControl {
  const [fontSize, setFontSize] = usePreference(keys.fontSize, (text) => {
    const size = Number(text);
    return Number.isInteger(size) && size >= SMALLEST && size <= LARGEST ? size : USUAL;
  });
  const [screenReader, setScreenReader] = usePreference(keys.screenReader, (text) => text === 'true');
  return {
    fontSize,
    screenReader,
    smaller: fontSize > SMALLEST ? () => setFontSize(fontSize - 1) : null,
    larger: fontSize < LARGEST ? () => setFontSize(fontSize + 1) : null,
    setScreenReader,
  };
}
