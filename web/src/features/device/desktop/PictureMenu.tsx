import { ActionIcon, Popover, SegmentedControl, Slider, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { desktop } from '../../../lib/messages/desktop.ts';
import { inBar } from './in-bar.ts';
import type { SizeMode } from './screen.ts';
import type { PictureControl } from './usePicture.ts';

const text = desktop.view;
const HIGHEST = 9;

/** Size, quality and compression of the picture, and whether it accepts input. */
export function PictureMenu({ picture }: { picture: PictureControl }) {
  const { size, setSize, adapt, setAdapt, levels, setLevels, viewOnly, setViewOnly } = picture;
  return (
    <Popover position="bottom-end" width={280} shadow="md" trapFocus returnFocus {...inBar}>
      <Tooltip label={text.menu}>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={text.menu}>
            <IconAdjustments size={18} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown p="sm">
        <Stack gap="sm">
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={text.size}
            value={size}
            data={[
              { value: 'fit', label: text.fit },
              { value: 'actual', label: text.actual },
              { value: 'remote', label: text.remote },
            ]}
            onChange={(value) => setSize(value as SizeMode)}
          />
          <Switch
            size="xs"
            label={text.viewOnly}
            checked={viewOnly}
            onChange={(event) => setViewOnly(event.currentTarget.checked)}
          />
          <Switch
            size="xs"
            label={text.adapt}
            checked={adapt}
            onChange={(event) => setAdapt(event.currentTarget.checked)}
          />
          <Level
            label={text.quality}
            value={levels.quality}
            onChange={(quality) => setLevels({ ...levels, quality })}
          />
          <Level
            label={text.compression}
            value={levels.compression}
            onChange={(compression) => setLevels({ ...levels, compression })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Level({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <div>
      <Text size="xs">
        {label} <span className="mono">{value}</span>
      </Text>
      <Slider size="sm" min={0} max={HIGHEST} label={null} thumbLabel={label} value={value} onChange={onChange} />
    </div>
  );
}
