import { keys } from '../../../lib/storage.ts';
import { usePreference } from '../../../ui/usePreference.ts';
import { ECHO_MODES } from './echo/predictor.ts';
import type { EchoMode } from './echo/predictor.ts';

const SMALLEST = 9;
const LARGEST = 24;
const USUAL = 14;

export interface TerminalPreferences {
  fontSize: number;
  screenReader: boolean;
  /** When typed characters are shown before the device has echoed them. */
  localEcho: EchoMode;
}

export interface PreferenceControl extends TerminalPreferences {
  smaller: (() => void) | null;
  larger: (() => void) | null;
  setScreenReader: (on: boolean) => void;
  setLocalEcho: (mode: EchoMode) => void;
}

/** This person's terminal preferences, kept in this browser. */
export function usePreferences(): PreferenceControl {
  const [fontSize, setFontSize] = usePreference(keys.fontSize, (text) => {
    const size = Number(text);
    return Number.isInteger(size) && size >= SMALLEST && size <= LARGEST ? size : USUAL;
  });
  const [screenReader, setScreenReader] = usePreference(keys.screenReader, (text) => text === 'true');
  const [localEcho, setLocalEcho] = usePreference(
    keys.localEcho,
    (text) => ECHO_MODES.find((mode) => mode === text) ?? 'auto',
  );
  return {
    fontSize,
    screenReader,
    localEcho,
    smaller: fontSize > SMALLEST ? () => setFontSize(fontSize - 1) : null,
    larger: fontSize < LARGEST ? () => setFontSize(fontSize + 1) : null,
    setScreenReader,
    setLocalEcho,
  };
}
