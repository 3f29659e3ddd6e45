import { lazy } from 'react';
import type { ComponentType } from 'react';
import { isReplaced } from '../lib/replaced.ts';
import { Replaced } from './Replaced.tsx';

/**
 * A part of the page that is loaded when it is shown. Where the hub no longer has it, a notice stands in its place, and the rest
 * of the page stays with what was typed into it.
 */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch(notice) }));

function notice(error: unknown): ComponentType {
  if (!isReplaced(error)) throw error;
  return Replaced;
}
