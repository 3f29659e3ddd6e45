import { afterEach, expect, it, jest } from '@jest/globals';
import { claimFocus } from './focus.ts';

/** Adds a button to the page. */
function button(): HTMLButtonElement {
  const element = document.createElement('button');
  document.body.append(element);
  return element;
}

afterEach(() => {
  document.body.replaceChildren();
});

it('takes the focus when nobody has moved it', () => {
  const focus = jest.fn();
  claimFocus().take(focus);
  expect(focus).toHaveBeenCalled();
});

it('leaves the focus to a control that was clicked meanwhile', () => {
  const focus = jest.fn();
  const claim = claimFocus();
  const clicked = button();
  clicked.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  clicked.focus();
  claim.take(focus);
  expect(focus).not.toHaveBeenCalled();
});

it('takes it from the heading after a navigation, and from the control that had it before', () => {
  const heading = document.createElement('h1');
  heading.tabIndex = -1;
  document.body.append(heading);
  const [claim, focus] = [claimFocus(), jest.fn()];
  window.dispatchEvent(new Event('keydown'));
  heading.focus();
  claim.take(focus);
  expect(focus).toHaveBeenCalledTimes(1);

  button().focus();
  const again = claimFocus();
  window.dispatchEvent(new Event('keydown'));
  again.take(focus);
  expect(focus).toHaveBeenCalledTimes(2);
});

it('takes it from where a dialog has returned it', () => {
  const [claim, focus] = [claimFocus(), jest.fn()];
  button().focus();
  claim.take(focus);
  expect(focus).toHaveBeenCalled();
});
