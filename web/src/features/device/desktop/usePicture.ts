import { useRef, useState } from 'react';
import { DEFAULT_LEVELS, LinkAdapter } from '../../../sockets/desktop/adapt.ts';
import type { Levels } from '../../../sockets/desktop/adapt.ts';
import { keys } from '../../../lib/storage.ts';
import { usePreference } from '../../../ui/usePreference.ts';
import type { SizeMode } from './screen.ts';

/** Specification, section 5. */
const level = (usual: number) => (text: string | null) => {
  const value = text === null ? NaN : Number(text);
  return Number.isInteger(value) && value >= 0 && value <= 9 ? value : usual;
};

const SIZES: readonly string[] = ['fit', 'actual', 'remote'];

/** This person's picture preferences, kept in this browser. */
export interface PictureControl {
  size: SizeMode;
  setSize: (size: SizeMode) => void;
  /** The levels adapt to the link; setting one ends that. */
  adapt: boolean;
  setAdapt: (adapt: boolean) => void;
  levels: Levels;
  setLevels: (levels: Levels) => void;
  viewOnly: boolean;
  setViewOnly: (viewOnly: boolean) => void;
  /** A finger scrolls the picture instead of acting as the mouse. */
  move: boolean;
  setMove: (move: boolean) => void;
  measured: (ms: number) => void;
}

export function usePicture(): PictureControl {
  const [size, setSize] = usePreference<SizeMode>(keys.desktopSize, (text) =>
    text !== null && SIZES.includes(text) ? (text as SizeMode) : 'fit',
  );
  const [adapt, setAdapt] = usePreference(keys.desktopAdapt, (text) => text !== 'false');
  const [quality, setQuality] = usePreference(keys.desktopQuality, level(DEFAULT_LEVELS.quality));
  const [compression, setCompression] = usePreference(keys.desktopCompression, level(DEFAULT_LEVELS.compression));
  const [viewOnly, setViewOnly] = useState(false);
  const [move, setMove] = useState(true);
  const [adapted, setAdapted] = useState(DEFAULT_LEVELS);
  const adapter = useRef(new LinkAdapter());
  return {
    size,
    setSize,
    adapt,
    setAdapt,
    viewOnly,
    setViewOnly,
    move,
    setMove,
    levels: adapt ? adapted : { quality, compression },
    setLevels: (levels) => {
      setQuality(levels.quality);
      setCompression(levels.compression);
      setAdapt(false);
    },
    measured: (ms) => {
      if (adapt && adapter.current.measured(ms)) setAdapted(adapter.current.levels);
    },
  };
}
