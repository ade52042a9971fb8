// The tables of docs/space.md and the plots beside it, from what bench/subjects/space.ts has measured.
// node scripts/space-report.mjs makes them from bench/results.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';

const isOurs = ({ contender }) => contender.startsWith('graze');
const fastest = (rows) => rows.reduce((best, row) => (row.nanoseconds < best.nanoseconds ? row : best));
const groupBy = (rows, key) => {
  const groups = new Map();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
};
const time = (ns) => (ns < 1000 ? `${ns.toFixed(0)} ns` : `${(ns / 1000).toFixed(1)} µs`);
const short = (name) => name.replace('graze ', '');
/** `scene, n: query` */
const parts = (subject) => /^(.*), (\d+): (.*)$/.exec(subject).slice(1);

/** Our best against the fastest library whose answers are right. */
export function spaceBars(rows) {
  const lines = [
    '| scene | query | our best | time | fastest library | its time / ours |',
    '|---|---|---|---|---|---|',
  ];
  for (const [subject, all] of groupBy(rows, ({ subject }) => subject)) {
    const [scene, , query] = parts(subject);
    if (scene === 'growth') continue;
    const ours = fastest(all.filter(isOurs));
    const peers = all.filter((row) => !isOurs(row) && !(row.wrong > 0));
    if (peers.length === 0) continue;
    const peer = fastest(peers);
    const ratio = peer.nanoseconds / ours.nanoseconds;
    lines.push(
      `| ${scene} | ${query} | ${short(ours.contender)} | ${time(ours.nanoseconds)} | ${peer.contender} | ${ratio < 2 ? `**${ratio.toFixed(2)}**` : ratio.toFixed(1)} |`,
    );
  }
  return lines.join('\n');
}

/** All of ours on one query, scene by scene. */
export function spaceTable(rows, wanted) {
  const own = rows.filter(({ subject }) => parts(subject)[2] === wanted && parts(subject)[0] !== 'growth');
  const scenes = [...new Set(own.map(({ subject }) => parts(subject)[0]))];
  const names = [...new Set(own.map(({ contender }) => contender))];
  const cell = (name, scene) => {
    const row = own.find(({ contender, subject }) => contender === name && parts(subject)[0] === scene);
    if (!row) return '–';
    return `${time(row.nanoseconds)}${row.wrong > 0 ? `, ${row.wrong} of ${row.calls} wrong` : ''}`;
  };
  return [
    `| ${wanted} | ${scenes.join(' | ')} |`,
    `|---|${scenes.map(() => '---|').join('')}`,
    ...names.map((name) => `| ${name} | ${scenes.map((scene) => cell(name, scene)).join(' | ')} |`),
  ].join('\n');
}

/** Time for one box or point over their number, both axes logarithmic. */
export function growthPlot(rows, wanted) {
  const own = rows.filter(({ subject }) => parts(subject)[0] === 'growth' && parts(subject)[2] === wanted);
  if (own.length === 0) return '';
  const [width, height, left, bottom] = [520, 300, 60, 40];
  const xs = own.map(({ subject }) => Math.log10(Number(parts(subject)[1])));
  const ys = own.map(({ nanoseconds }) => Math.log10(nanoseconds));
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const px = (x) => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - 130);
  const py = (y) => height - bottom - ((y - y0) / (y1 - y0)) * (height - bottom - 20);
  const colors = ['#1f77b4', '#2ca02c', '#9467bd', '#17becf', '#8c564b', '#d62728', '#ff7f0e', '#7f7f7f'];
  const lines = [...groupBy(own, ({ contender }) => contender)].map(([name, list], i) => {
    const points = list.map(({ subject, nanoseconds }) => [
      px(Math.log10(Number(parts(subject)[1]))),
      py(Math.log10(nanoseconds)),
    ]);
    const color = colors[i % colors.length];
    const dash = isOurs(list[0]) ? '' : ' stroke-dasharray="4 3"';
    const [ex, ey] = points.at(-1);
    return `<polyline fill="none" stroke="${color}" stroke-width="1.5"${dash} points="${points.map(([x, y]) => `${x.toFixed(0)},${y.toFixed(0)}`).join(' ')}"/><text x="${ex + 5}" y="${ey + 3}" fill="${color}">${short(name)}</text>`;
  });
  const ticks = [];
  for (let x = x0; x <= x1; x++)
    ticks.push(`<text x="${px(x)}" y="${height - 22}" text-anchor="middle">10^${x}</text>`);
  for (let y = y0; y <= y1; y++)
    ticks.push(
      `<text x="${left - 6}" y="${py(y) + 3}" text-anchor="end">10^${y} ns</text><path d="M${left} ${py(y)}H${width - 130}" stroke="#ddd"/>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="#fff"/><text x="${left}" y="12">${wanted}: time for one, over their number</text>${ticks.join('')}${lines.join('')}</svg>\n`;
}

export function writeSpaceReport(rows) {
  const file = join(root, 'docs', 'space.md');
  let text = readFileSync(file, 'utf8');
  for (const [name, table] of [
    ['space bars', spaceBars(rows)],
    ['space pairs', spaceTable(rows, 'move and all pairs')],
    ['space ranges', spaceTable(rows, 'boxes in a box')],
    ['space rays', spaceTable(rows, 'first box on a ray')],
    ['space points', spaceTable(rows, 'points in a box')],
    ['space nearest', spaceTable(rows, 'nearest point')],
    ['space few', spaceTable(rows, 'eight nearest points')],
  ]) {
    const [before, after] = [text.split(`<!-- ${name} -->`)[0], text.split(`<!-- /${name} -->`)[1]];
    text = `${before}<!-- ${name} -->\n${table}\n<!-- /${name} -->${after}`;
  }
  writeFileSync(file, text);
  for (const [name, wanted] of [
    ['space-pairs.svg', 'move and all pairs'],
    ['space-nearest.svg', 'nearest point'],
  ]) {
    const plot = growthPlot(rows, wanted);
    if (plot) writeFileSync(join(root, 'docs', name), plot);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeSpaceReport(JSON.parse(readFileSync(join(root, 'bench', 'results.json'), 'utf8'))['space.ts'] ?? []);
