import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isRefusal } from '../../lib/api/errors.ts';
import { devicePath } from '../../lib/device-access.ts';
import { deviceActions } from '../../lib/messages/device-actions.ts';
import { messages } from '../../lib/messages.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { ModalFrame } from '../../ui/ModalFrame.tsx';
import { devicePage } from '../../lib/messages/device-page.ts';
import { Fields } from '../../ui/Fields.tsx';
import { detailFields } from './device-fields.tsx';
import { Cloned } from '../../ui/Cloned.tsx';
import { LabelEditor } from '../../ui/LabelEditor.tsx';
import { PresenceStrip } from '../../ui/PresenceStrip.tsx';

const text = messages.details;

/** The Device Details modal, open while there is an id. */
export function DeviceDetails({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <ModalFrame focusTitle opened={id !== null} onClose={onClose} title={text.title} size={520}>
      {id ? <Details id={id} /> : null}
    </ModalFrame>
  );
}

function Details({ id }: { id: string }) {
  const { currentData, error, refetch } = api.useGetDeviceQuery({ id });
  if (isRefusal(error)) {
    return (
      <div role="alert">
        <Empty title={text.failed} text={deviceActions.gone} />
      </div>
    );
  }
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  if (currentData)
    return (
      <Stack>
        <Cloned device={currentData.result} />
        <Anchor component={Link} to={devicePath(currentData.result)} size="sm">
          {devicePage.open}
        </Anchor>
        <Fields fields={detailFields(currentData.result)} />
        <LabelEditor device={currentData.result} />
        <PresenceStrip id={id} />
      </Stack>
    );
  return (
    <Stack gap={18} mih={480}>
      <Text c="dimmed" role="status">
        {text.loading}
      </Text>
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} height={12} width={`${50 + ((index * 13) % 45)}%`} />
      ))}
    </Stack>
  );
}
