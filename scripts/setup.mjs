// What `npm start`, `npm test` and the rest need before they can do anything. Plain Node, no packages: it runs
// on a fresh clone, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a command with its output shown; ends the process when it fails, unless `mayFail`. */
export function run(command, args, { cwd = root, env = {}, mayFail = false } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (result.error) console.error(`graze: could not run ${command}: ${result.error.message}`);
  const ok = !result.error && result.status === 0;
  if (!ok && !mayFail) process.exit(result.status || 1);
  return ok;
}

/** The path of a program that a package in node_modules brought. */
export const bin = (name, folder = root) =>
  join(folder, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);

/** Installs what the lock file of `folder` names, unless exactly that is installed already. */
export function install(folder = root) {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).update(process.version).digest('hex');
  const stamp = join(folder, 'node_modules', '.graze-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('graze: installing packages …');
  // Not `npm ci`: it refuses a lock file that does not list the optional packages of every platform. With --no-save
  // the lock file decides the versions all the same, and stays as it is.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  writeFileSync(stamp, wanted);
}

/** The system's Chromium (or Chrome), or null. `GRAZE_CHROMIUM` names another. */
export function findChromium() {
  const named = process.env.GRAZE_CHROMIUM;
  if (named) return named;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'];
  const places = [
    ...(process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  return places.find(isProgram) ?? null;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds Chromium, installing it from the system's packages where that is possible. Null, with the reason said, where not. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  const canSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (isProgram('/usr/bin/apt-get') && (isRoot || canSudo)) {
    console.log('graze: installing Chromium from the system packages …');
    const apt = (...args) =>
      run(isRoot ? 'apt-get' : 'sudo', isRoot ? args : ['apt-get', ...args], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
        mayFail: true,
      });
    apt('-qq', 'update');
    apt('-qq', '-y', '--no-install-recommends', 'install', 'chromium');
    const installed = findChromium();
    if (installed) return installed;
  }
  console.error(
    'graze: no Chromium found, and it cannot be installed from here (that takes apt-get and root, or sudo without a\n' +
      'password). Install Chromium or Chrome, or set GRAZE_CHROMIUM to its path, and run again.',
  );
  return null;
}
