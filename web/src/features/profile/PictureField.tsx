import { Button, FileButton, Group, Text } from '@mantine/core';
import { LIMITS } from '@warren/rules/limits';
import { useState } from 'react';
import { messages } from '../../lib/messages.ts';
import { Person } from '../../ui/Person.tsx';

const text = messages.profile;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

interface PictureFieldProps {
  name: string;
  /** Address or data URL of the picture; empty for none. */
  present: string;
  /** A data URL of the chosen file, or nothing to remove the picture. */
  onChange: (picture: string) => void;
}

/** A person's picture, and controls to replace or remove it. */
export function PictureField({ name, present, onChange }: PictureFieldProps) {
  const [problem, setProblem] = useState<string>();
  const choose = (file: File | null) => {
    if (!file) return;
    const wrong = objection(file);
    setProblem(wrong);
    if (!wrong) void dataUrl(file).then(onChange);
  };
  return (
    <div role="group" aria-label={text.picture}>
      <Group gap="md">
        <Person name={name} picture={present} size={72} />
        <div>
          <Group gap="xs">
            <FileButton accept={TYPES.join(',')} onChange={choose} inputProps={{ 'aria-label': text.choose }}>
              {(props) => (
                <Button {...props} variant="default">
                  {text.choose}
                </Button>
              )}
            </FileButton>
            {present ? (
              <Button variant="subtle" color="gray" onClick={() => onChange('')}>
                {text.remove}
              </Button>
            ) : null}
          </Group>
          <Text
            size="xs"
            c={problem ? 'var(--mantine-color-error)' : 'dimmed'}
            mt={6}
            role={problem ? 'alert' : undefined}
          >
            {problem ?? text.pictureNote}
          </Text>
        </div>
      </Group>
    </div>
  );
}

function objection(file: File): string | undefined {
  if (!TYPES.includes(file.type)) return text.wrongType;
  return file.size > LIMITS.pictureBytes ? text.tooLarge : undefined;
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} can't be read.`));
    reader.readAsDataURL(file);
  });
}
