/** Texts of Home without devices; a part of the one catalogue. */
export const welcome = {
  title: 'Welcome to Warren',
  text: 'There is no device yet. Add the first one, and it shows up here within seconds.',
  features: [
    { title: 'Seamlessly connect', text: 'One command on the device. It dials out, so no port has to be opened.' },
    { title: 'Secure access via SSH', text: 'A shell in your browser that stays alive when the network does not.' },
    { title: 'Instant control of HTTP services', text: 'Reach the web services of a device from anywhere.' },
  ],
};
