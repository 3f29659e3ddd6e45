// Runs before the first paint and before any other script. A file, because the content policy allows no inline script.
(function () {
  // The page never flashes in the other scheme.
  var chosen = 'auto';
  try {
    chosen = localStorage.getItem('warren.scheme') || 'auto';
  } catch {
    // Storage can be switched off; the system's scheme is then right.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // The session is on its way while the scripts load; src/lib/api/base.ts takes it.
  window.warrenSession = fetch('/auth/saml/getsession');
  window.warrenSession.catch(function () {
    // Reported where it is taken.
  });

  // So are the files of the screen in the address.
  var routes = document.querySelector('meta[name=warren-routes]').content;
  JSON.parse(routes || '[]').forEach(function (route) {
    if (!new RegExp(route[0]).test(location.pathname)) return;
    route[1].forEach(function (file) {
      var link = document.createElement('link');
      var style = /\.css$/.test(file);
      link.rel = style ? 'preload' : 'modulepreload';
      if (style) link.as = 'style';
      // As the scripts ask for it; otherwise it comes twice.
      if (style) link.crossOrigin = '';
      link.href = '/' + file;
      document.head.appendChild(link);
    });
  });
})();
