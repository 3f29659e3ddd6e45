import { lazy } from 'react';
import type { ComponentType } from 'react';
import { isReplaced } from '../lib/replaced.ts';
import { Replaced } from './Replaced.tsx';

/**
 * Creates a lazily loaded part of a page. If the hub no longer has it, a notice replaces it, and the rest of the page keeps its input.
 */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch(notice) }));

function notice(error: unknown): ComponentType {
  if (!isReplaced(error)) throw error;
  return Replaced;
}
