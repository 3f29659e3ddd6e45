import { Button } from '@mantine/core';
import { messages } from '../lib/messages.ts';
import type { ListControl } from './useListState.ts';

/** Brings the whole list back where a search found nothing. */
export const ClearSearch = ({ list }: { list: ListControl }) => (
  <Button variant="default" onClick={() => list.search('')}>
    {messages.common.showAll}
  </Button>
);
