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
const parts = (subject) => /^(.*), (\d+)(?: triangles)?: (.*)$/.exec(subject).slice(1);

/** `growth, scene` or `scene`, the number, the query. */
const isGrowth = ({ subject }) => subject.startsWith('growth, ');
const sceneOf = (subject) => parts(subject)[0].replace('growth, ', '');

/** Our best of some rows, and the fastest library whose answers are right. */
function bestTwo(rows) {
  const ours = fastest(rows.filter((row) => isOurs(row) && !(row.wrong > 0)));
  const peers = rows.filter((row) => !isOurs(row) && !(row.wrong > 0));
  return { ours, peer: peers.length > 0 ? fastest(peers) : null };
}

const bold = (ratio) =>
  ratio < 2 ? `**${ratio.toFixed(2)}**` : ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0);

/** Our best against the fastest library, for each scene and query. */
export function spaceBars(rows) {
  const lines = [
    '| scene | query | our best | time | fastest library | its time / ours |',
    '|---|---|---|---|---|---|',
  ];
  for (const [subject, all] of groupBy(
    rows.filter((row) => !isGrowth(row)),
    ({ subject }) => subject,
  )) {
    const [scene, , query] = parts(subject);
    const { ours, peer } = bestTwo(all);
    if (!peer) continue;
    const ratio = peer.nanoseconds / ours.nanoseconds;
    lines.push(
      `| ${scene} | ${query} | ${short(ours.contender)} | ${time(ours.nanoseconds)} | ${peer.contender} | ${bold(ratio)} |`,
    );
  }
  return lines.join('\n');
}

const sizesOf = (rows) =>
  [...new Set(rows.map(({ subject }) => Number(parts(subject)[1])))].sort((a, b) => a - b);
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** The time for one of each contender, scene by scene, over their number. The best of a scene is bold. */
export function growthTable(rows, wanted) {
  const own = rows.filter((row) => isGrowth(row) && parts(row.subject)[2] === wanted);
  const sizes = sizesOf(own);
  const lines = [
    `| ${wanted} | ${sizes.map(grouped).join(' | ')} |`,
    `|---|${sizes.map(() => '---|').join('')}`,
  ];
  for (const [scene, all] of groupBy(own, ({ subject }) => sceneOf(subject)))
    for (const [name, list] of groupBy(all, ({ contender }) => contender)) {
      const cells = sizes.map((n) => {
        const at = (row) => Number(parts(row.subject)[1]) === n;
        const row = list.find(at);
        if (!row) return '–';
        const text = `${time(row.nanoseconds)}${row.wrong > 0 ? ', wrong' : ''}`;
        return row === fastest(all.filter(at)) ? `**${text}**` : text;
      });
      lines.push(`| ${scene}: ${short(name)} | ${cells.join(' | ')} |`);
    }
  return lines.join('\n');
}

/** Our best and what the fastest library takes of its time, for all queries, over the number. */
export function growthBars(rows, queries) {
  const own = rows.filter((row) => isGrowth(row) && queries.includes(parts(row.subject)[2]));
  const sizes = sizesOf(own);
  const lines = [`| | ${sizes.map(grouped).join(' | ')} |`, `|---|${sizes.map(() => '---|').join('')}`];
  for (const query of queries)
    for (const [scene, all] of groupBy(
      own.filter(({ subject }) => parts(subject)[2] === query),
      ({ subject }) => sceneOf(subject),
    )) {
      const cells = sizes.map((n) => {
        const here = all.filter(({ subject }) => Number(parts(subject)[1]) === n);
        if (here.length === 0) return '–';
        const { ours, peer } = bestTwo(here);
        const text = `${short(ours.contender)} ${time(ours.nanoseconds)}`;
        return peer ? `${text}, × ${bold(peer.nanoseconds / ours.nanoseconds)}` : text;
      });
      lines.push(`| ${query}, ${scene} | ${cells.join(' | ')} |`);
    }
  return lines.join('\n');
}

/** All of ours on one query, scene by scene. */
export function spaceTable(rows, wanted) {
  const own = rows.filter((row) => parts(row.subject)[2] === wanted && !isGrowth(row));
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

const COLORS = ['#1f77b4', '#2ca02c', '#9467bd', '#17becf', '#8c564b', '#e377c2', '#bcbd22'];
const PEER_COLORS = ['#d62728', '#ff7f0e', '#7f7f7f', '#000000'];
const [PANEL, HEIGHT, LEFT, TOP, BOTTOM] = [190, 190, 52, 34, 26];

/** Time for one over their number, both axes logarithmic: a panel for each scene. Libraries are dashed. */
export function growthPlot(rows, wanted) {
  const own = rows.filter((row) => isGrowth(row) && parts(row.subject)[2] === wanted);
  if (own.length === 0) return '';
  const scenes = [...groupBy(own, ({ subject }) => sceneOf(subject))];
  const names = [...new Set(own.map(({ contender }) => contender))];
  const [ours, peers] = [true, false].map((is) => names.filter((contender) => isOurs({ contender }) === is));
  const colorOf = (name) =>
    isOurs({ contender: name }) ? COLORS[ours.indexOf(name)] : PEER_COLORS[peers.indexOf(name)];
  const xOf = ({ subject }) => Math.log10(Number(parts(subject)[1]));
  const ys = own.map(({ nanoseconds }) => Math.log10(nanoseconds));
  const [x0, x1] = [Math.min(...own.map(xOf)), Math.max(...own.map(xOf))];
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const px = (x, panel) => LEFT + panel * PANEL + 8 + ((x - x0) / (x1 - x0 || 1)) * (PANEL - 22);
  const py = (y) => HEIGHT - BOTTOM - ((y - y0) / (y1 - y0)) * (HEIGHT - BOTTOM - TOP);
  const width = LEFT + scenes.length * PANEL;
  const marks = [];
  for (let y = y0; y <= y1; y++)
    marks.push(
      `<text x="${LEFT - 4}" y="${(py(y) + 3).toFixed(0)}" text-anchor="end">${time(10 ** y)}</text><path d="M${LEFT} ${py(y).toFixed(0)}H${width - 6}" stroke="#ddd"/>`,
    );
  scenes.forEach(([scene, all], panel) => {
    marks.push(
      `<text x="${px((x0 + x1) / 2, panel).toFixed(0)}" y="${TOP - 8}" text-anchor="middle">${scene}</text>`,
    );
    for (let x = x0; x <= x1; x++)
      marks.push(
        `<text x="${px(x, panel).toFixed(0)}" y="${HEIGHT - 10}" text-anchor="middle">10<tspan dy="-4" font-size="7">${x}</tspan></text>`,
      );
    for (const [name, list] of groupBy(all, ({ contender }) => contender)) {
      const points = list.map(
        (row) => `${px(xOf(row), panel).toFixed(1)},${py(Math.log10(row.nanoseconds)).toFixed(1)}`,
      );
      const dash = isOurs(list[0]) ? '' : ' stroke-dasharray="4 3"';
      marks.push(
        `<polyline fill="none" stroke="${colorOf(name)}" stroke-width="1.5"${dash} points="${points.join(' ')}"/>`,
      );
    }
  });
  names.forEach((name, i) => {
    const [x, y] = [LEFT + 8 + 150 * (i % 6), HEIGHT + 12 + 14 * Math.floor(i / 6)];
    const dash = isOurs({ contender: name }) ? '' : ' stroke-dasharray="4 3"';
    marks.push(
      `<path d="M${x} ${y - 3}h18" stroke="${colorOf(name)}" stroke-width="1.5"${dash}/><text x="${x + 22}" y="${y}">${short(name)}</text>`,
    );
  });
  const height = HEIGHT + 6 + 14 * Math.ceil(names.length / 6);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="10"><title>${wanted}: time for one, over their number</title><rect width="100%" height="100%" fill="#fff"/><text x="${LEFT}" y="12">${wanted}: time for one, over their number</text>${marks.join('')}</svg>\n`;
}

/** Queries whose growth is shown, and the files of their plots. */
const GROWTH = {
  'move and all pairs': 'space-pairs.svg',
  'boxes in a box': 'space-range.svg',
  'nearest box': 'space-nearest-box.svg',
  'first box on a ray': 'space-ray.svg',
  'points in a box': 'space-points.svg',
  'nearest point': 'space-nearest.svg',
};

export function writeSpaceReport(rows) {
  const file = join(root, 'docs', 'space.md');
  let text = readFileSync(file, 'utf8');
  const [pairs, ...queries] = Object.keys(GROWTH);
  for (const [name, table] of [
    ['space bars', spaceBars(rows)],
    ['space pairs', spaceTable(rows, 'move and all pairs')],
    ['space ranges', spaceTable(rows, 'boxes in a box')],
    ['space near', spaceTable(rows, 'nearest box')],
    ['space rays', spaceTable(rows, 'first box on a ray')],
    ['space points', spaceTable(rows, 'points in a box')],
    ['space nearest', spaceTable(rows, 'nearest point')],
    ['space few', spaceTable(rows, 'eight nearest points')],
    ['space growth', growthTable(rows, pairs)],
    ['space growth bars', growthBars(rows, queries)],
  ]) {
    const [before, after] = [text.split(`<!-- ${name} -->`)[0], text.split(`<!-- /${name} -->`)[1]];
    if (after === undefined) continue;
    text = `${before}<!-- ${name} -->\n${table}\n<!-- /${name} -->${after}`;
  }
  writeFileSync(file, text);
  for (const [wanted, name] of Object.entries(GROWTH)) {
    const plot = growthPlot(rows, wanted);
    if (plot) writeFileSync(join(root, 'docs', name), plot);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeSpaceReport(JSON.parse(readFileSync(join(root, 'bench', 'results.json'), 'utf8'))['space.ts'] ?? []);
