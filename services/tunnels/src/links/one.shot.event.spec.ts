import { describe, expect, it } from '@jest/globals';
import { OneShotEvent } from './one.shot.event.ts';

describe('OneShotEvent', () => {
  it('notifies listeners once', () => {
    const event = new OneShotEvent();
    const heard: string[] = [];
    event.listen(() => heard.push('a'));
    const undo = event.listen(() => heard.push('b'));
    undo();
    expect(event.fired).toBe(false);
    event.fire();
    event.fire();
    expect(heard).toEqual(['a']);
    expect(event.fired).toBe(true);
    event.listen(() => heard.push('late'));
    expect(heard).toEqual(['a']);
  });

  it('has a signal, before and after it fires', () => {
    const event = new OneShotEvent();
    const { signal } = event;
    expect(signal.aborted).toBe(false);
    event.fire();
    expect(signal.aborted).toBe(true);
    const late = new OneShotEvent();
    late.fire();
    expect(late.signal.aborted).toBe(true);
  });
});
