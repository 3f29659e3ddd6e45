import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { Failure } from './Failure.tsx';

const retry = jest.fn();

const show = (props: object) =>
  render(
    <MantineProvider env="test">
      <Failure title="Devices could not be loaded." retry={retry} {...props} />
    </MantineProvider>,
  );

beforeEach(() => {
  retry.mockClear();
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

/** Tells whether it retries automatically within ten seconds. */
function recovers(props: object): boolean {
  const { unmount } = show(props);
  jest.advanceTimersByTime(10_000);
  unmount();
  return retry.mock.calls.length > 0;
}

describe('something that could not be loaded', () => {
  it('shows the reason', () => {
    show({ error: { status: 503, data: { message: 'Unavailable: devices is down.' } } });
    expect(screen.getByRole('alert')).toHaveTextContent('devices is down.');
  });

  it.each([
    ['the hub is down', { error: { status: 503, data: {} } }, true],
    ['no answer comes', { error: { status: 'FETCH_ERROR' } }, true],
    ['it is not there', { error: { status: 404, data: {} } }, false],
    ['trying again changes something', { error: { status: 503, data: {} }, recover: false }, false],
    ['no call failed', { reason: 'The journal has ended.' }, false],
  ])('while %s', (_, props, again) => {
    expect(recovers(props)).toBe(again);
  });

  it('stops when it is no longer shown', () => {
    const { unmount } = show({ error: { status: 503, data: {} } });
    unmount();
    jest.advanceTimersByTime(10_000);
    expect(retry).not.toHaveBeenCalled();
  });
});
