import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { api } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/errors.ts';
import { access as text } from '../../lib/messages/access.ts';

const PAUSE_MS = 400;

/** How many devices a filter finds now. */
export function FilterCount({ account, filter, isWrong }: { account: string; filter: string; isWrong: boolean }) {
  const [asked] = useDebouncedValue(filter.trim(), PAUSE_MS);
  const { currentData, error } = api.useListDevicesQuery({ account, filter: asked, limit: 1 }, { skip: isWrong });
  return (
    <Text role="status" size="sm" c="dimmed" mt={4} mih={20}>
      {isWrong
        ? null
        : error
          ? errorText(error, text.countFailed)
          : currentData
            ? text.finds(currentData.total)
            : text.counting}
    </Text>
  );
}
