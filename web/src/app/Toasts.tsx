import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';
import { LIMITS } from '@warren/rules/limits';
import classes from './Toasts.module.css';

/** What has happened: bottom-right, for 5 seconds. */
export function Toasts() {
  return (
    <Notifications
      position="bottom-right"
      autoClose={LIMITS.toast}
      transitionDuration={150}
      classNames={{ root: classes.root, notification: classes.notification }}
    />
  );
}
