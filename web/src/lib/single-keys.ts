import { keys, recall, remember } from './storage.ts';

/** Whether keys without Ctrl or Alt are shortcuts, by choice of this browser's user (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => recall(keys.singleKeys) !== 'off';

export const chooseSingleKeys = (on: boolean): void => remember(keys.singleKeys, on ? null : 'off');
