// Runs before the first paint, so that the page never flashes in the other scheme. A file, because the content policy allows no inline script.
(function () {
  var chosen = 'auto';
  try {
    chosen = localStorage.getItem('warren.scheme') || 'auto';
  } catch {
    // Storage can be switched off; the system's scheme is then right.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
