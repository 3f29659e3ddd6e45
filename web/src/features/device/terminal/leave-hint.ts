/** Id of the element that explains how to leave the terminal with the keyboard. */
export const LEAVE_HINT_ID = 'terminal-leave-hint';
