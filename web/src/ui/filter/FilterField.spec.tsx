import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { FilterBox } from './FilterBox.tsx';
import { FilterField } from './FilterField.tsx';

const known = { labels: {}, saved: [{ key: 'north', name: 'North' }] };

function Form({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial);
  return <FilterField label="Devices" value={value} known={known} onChange={setValue} />;
}

function open(initial = ''): HTMLElement {
  render(
    <MantineProvider env="test">
      <Form initial={initial} />
    </MantineProvider>,
  );
  return screen.getByRole('combobox', { name: 'Devices' });
}

const type = (box: HTMLElement, value: string) =>
  fireEvent.change(box, { target: { value, selectionStart: value.length } });
const pause = () => act(() => jest.advanceTimersByTime(5_000));

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('applies nothing that was typed before the address changed', () => {
  const onFilter = jest.fn();
  const box = (value: string) => (
    <MantineProvider env="test">
      <FilterBox label="Search" value={value} known={known} onFilter={onFilter} />
    </MantineProvider>
  );
  const { rerender } = render(box(''));
  type(screen.getByRole('combobox'), 'site=south');
  rerender(box('site=north'));
  pause();
  expect(screen.getByRole('combobox')).toHaveValue('site=north');
  expect(onFilter).not.toHaveBeenCalled();
  type(screen.getByRole('combobox'), 'site=west');
  pause();
  expect(onFilter).toHaveBeenCalledWith('site=west');
});

it('calls a filter wrong once no completion can be chosen any more', () => {
  const box = open();
  type(box, 'in:');
  pause();
  expect(screen.getByRole('option', { name: /^in:north/ })).toBeInTheDocument();
  expect(box).toBeValid();
  fireEvent.keyDown(box, { key: 'Escape' });
  fireEvent.blur(box);
  expect(box).toBeValid();
  pause();
  expect(box).toBeInvalid();
  expect(screen.getByText('Expected the key of a shared view after “in:”.')).toBeInTheDocument();
});

it('keeps what it says of a filter while completions are open, until the text changes', () => {
  const box = open('in:');
  expect(box).toBeInvalid();
  act(() => box.focus());
  fireEvent.click(box);
  fireEvent.select(box, { target: { selectionStart: 3 } });
  pause();
  expect(screen.getByRole('option', { name: /^in:north/ })).toBeInTheDocument();
  expect(box).toBeInvalid();
  type(box, 'in:n');
  type(box, 'in:');
  type(box, 'in:-');
  expect(box).toBeValid();
});
