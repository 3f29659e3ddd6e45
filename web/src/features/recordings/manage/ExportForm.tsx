import { Radio, Stack, Text } from '@mantine/core';
import { RECORDING_FORMATS, type RecordingFormat } from '@warren/rules/recordings/settings';
import { useState } from 'react';
import type { Recording } from '../../../lib/api/types.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';

/** Downloads a recording in a format of choice. */
export function ExportForm({ recording, onClose }: { recording: Recording; onClose: () => void }) {
  const [format, setFormat] = useState<RecordingFormat>('asciicast');
  const download = () => {
    const link = document.createElement('a');
    link.href = `/api/recordings/${recording.id}/export?format=${format}`;
    link.download = '';
    link.click();
    onClose();
  };
  return (
    <DialogForm confirm={text.exportAct} busy={false} onConfirm={download} onCancel={onClose}>
      <Radio.Group label={text.exportFormat} value={format} onChange={(value) => setFormat(value as RecordingFormat)}>
        <Stack gap="xs" mt={8}>
          {RECORDING_FORMATS.map((value) => (
            <Radio
              key={value}
              value={value}
              label={text.exportFormats[value].label}
              description={text.exportFormats[value].hint}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {text.exportNote}
      </Text>
    </DialogForm>
  );
}
