/** The texts of a device's web service in the console; a part of the one catalogue. */
export const web = {
  label: (name: string) => `Web service of ${name}`,
  loading: 'Opening the web service…',
  reload: 'Reload the web service',
  newTab: 'Open in a new tab',
  failed: 'The web service could not be opened',
  off: (name: string) => `The web service of ${name} is switched off.`,
  offline: (name: string) => `${name} is not connected. Its web service opens here as soon as it is back.`,
  unserved: 'This hub does not serve the web services of its devices.',
  untrusted: (origin: string) =>
    `A resize message from ${origin} was ignored: it is neither the device nor the studio.`,
};
