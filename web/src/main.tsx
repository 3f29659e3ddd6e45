import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import './ui/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { network } from './lib/network.ts';
import { reloadWhenReplaced } from './lib/replaced.ts';
import { showRows } from './lib/rows.ts';
import { watchTyping } from './lib/typed.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');
showRows();
watchTyping();
reloadWhenReplaced();
network.watch();
createRoot(root).render(<App />);
