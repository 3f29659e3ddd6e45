/** The texts of a device's web page in the console; a part of the one catalogue. */
export const web = {
  label: (name: string) => `Web page of ${name}`,
  loading: 'Opening the web page…',
  reload: 'Reload the web page',
  newTab: 'Open in a new tab',
  failed: 'The web page could not be opened',
  off: (name: string) => `The web page of ${name} is switched off.`,
  offline: (name: string) => `${name} is not connected. Its web page opens here as soon as it is back.`,
  unserved: 'This hub does not serve the web pages of its devices.',
  untrusted: (origin: string) =>
    `A resize message from ${origin} was ignored: it is neither the device nor the studio.`,
};
