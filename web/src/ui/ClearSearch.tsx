import { Button } from '@mantine/core';
import { messages } from '../lib/messages.ts';
import type { ListControl } from './useListState.ts';

/** Clears a search that found nothing. */
export const ClearSearch = ({ list }: { list: ListControl }) => (
  <Button variant="default" onClick={() => list.search('')}>
    {messages.common.showAll}
  </Button>
);
