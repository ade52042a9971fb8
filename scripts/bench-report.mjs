// The tables of docs/performance.md, from the rows that the subjects of bench/ report.
const time = (nanoseconds) => {
  if (nanoseconds < 1e4) return `${nanoseconds.toFixed(1)} ns`;
  return nanoseconds < 1e6 ? `${(nanoseconds / 1e3).toFixed(1)} µs` : `${(nanoseconds / 1e6).toFixed(2)} ms`;
};

/** One row of a table. */
export function line({ subject, mesh, contender, nanoseconds, bytes, ratio, wrong, calls }) {
  const cost = bytes === undefined ? time(nanoseconds) : `${bytes.toFixed(1)} B`;
  const errors = wrong === null ? '' : `${wrong} of ${calls}`;
  const cells = [subject, ...(mesh ? [mesh] : []), contender, cost, ratio.toFixed(2), errors];
  return `| ${cells.join(' | ')} |`;
}

export const primitives = (rows) =>
  [
    '| query | contender | time a call | its time / ours | wrong answers |',
    '|---|---|---|---|---|',
    ...rows.filter(({ mesh }) => !mesh).map(line),
  ].join('\n');

/** Sweeps and traces of exact polyhedra have a section of their own. */
const isPolyhedral = ({ subject }) => /through a level|touched from the front/.test(subject);

const meshTable = (rows) =>
  [
    '| query | mesh | contender | time a call | its time / ours | wrong answers |',
    '|---|---|---|---|---|---|',
    ...rows.filter(({ mesh }) => mesh).map(line),
  ].join('\n');

export const meshes = (rows) => meshTable(rows.filter((row) => !isPolyhedral(row)));

export const polyhedra = (rows) => {
  const own = rows.filter(isPolyhedral);
  return `${table(POLYHEDRAL_BARS, own)}\n\n${meshTable(own)}`;
};

/** What we want to reach: the ratio to the best of some contenders of a subject is to be `least` at least. */
const BARS = [
  { bar: 'closest ray hit ≥ 3 × three-mesh-bvh SAH', subject: /^closest ray/, peers: /three-mesh/, least: 3 },
  {
    bar: 'closest ray hit ≥ 1.7 × the best of the others',
    subject: /^closest ray/,
    peers: /^(?!graze|three-mesh)/,
    least: 1.7,
  },
  { bar: 'closest point ≥ 3 × three-mesh-bvh SAH', subject: /^closest point/, peers: /three-mesh/, least: 3 },
  { bar: 'closest point ≥ 1.5 × Rapier', subject: /^closest point/, peers: /Rapier/, least: 1.5 },
  { bar: 'swept sphere ≥ 2.5 × Jolt', subject: /^swept/, peers: /Jolt/, least: 2.5 },
  { bar: 'mesh – mesh ≥ 50 × three-mesh-bvh', subject: /^mesh – mesh/, peers: /three-mesh/, least: 50 },
  { bar: 'build ≤ 1/3 of three-mesh-bvh SAH', subject: /^build/, peers: /three-mesh-bvh SAH/, least: 3 },
  {
    bar: 'build ≤ 1.5 × the fastest of three-mesh-bvh',
    subject: /^build/,
    peers: /three-mesh/,
    least: 1 / 1.5,
  },
  {
    bar: "memory ≤ three-mesh-bvh, which renumbers the user's triangles",
    subject: /^memory/,
    peers: /renumbers/,
    least: 1,
  },
  { bar: 'memory ≤ three-mesh-bvh, indirect', subject: /^memory/, peers: /indirect/, least: 1 },
  { bar: 'two threads ≥ 1.7 × one', subject: /^batch of rays/, peers: /1 thread/, least: 1.7 },
];

const POLYHEDRAL_BARS = [
  { bar: 'swept box ≥ Rapier', subject: /^box swept/, peers: /Rapier/, least: 1 },
  { bar: 'swept box ≥ Jolt', subject: /^box swept/, peers: /Jolt/, least: 1 },
  { bar: 'point trace ≥ our own ray cast', subject: /^point trace/, peers: /rayMesh/, least: 1 },
];

/** The bars, and for each mesh the ratio that was measured. */
export const bars = (rows) =>
  table(
    BARS,
    rows.filter((row) => !isPolyhedral(row)),
  );

function table(wanted, rows) {
  const titles = [...new Set(rows.flatMap(({ mesh }) => mesh ?? []))];
  const cell = ({ subject, peers, least }, title) => {
    const ratios = rows
      .filter((row) => row.mesh === title && subject.test(row.subject) && peers.test(row.contender))
      .map(({ ratio }) => ratio);
    if (ratios.length === 0) return '–';
    const ratio = Math.min(...ratios);
    return `${ratio.toFixed(2)}, ${ratio >= least ? 'met' : '**not met**'}`;
  };
  return [
    `| bar (its time or memory / ours) | ${titles.map((title) => title.split(',')[0]).join(' | ')} |`,
    `|---|${titles.map(() => '---|').join('')}`,
    ...wanted.map((entry) => `| ${entry.bar} | ${titles.map((title) => cell(entry, title)).join(' | ')} |`),
  ].join('\n');
}

/** Of convex shapes: a row says what it is about, a mesh included. */
const pairOf = ({ subject, mesh }) => (mesh ? `${subject}, ${mesh.split(',')[0]}` : subject);

export const convex = (rows) =>
  [
    '| query | contender | time a call | its time / ours | wrong answers |',
    '|---|---|---|---|---|',
    ...rows.map((row) => line({ ...row, subject: pairOf(row), mesh: undefined })),
  ].join('\n');

/** What we want for all of them. */
const CONVEX_BAR = 1.5;

export function convexBars(rows) {
  const best = (pair) => {
    const peers = rows.filter((row) => pairOf(row) === pair && !row.contender.startsWith('graze'));
    return peers.reduce((least, row) => (row.ratio < least.ratio ? row : least));
  };
  const cells = (pair) => {
    const { contender, ratio } = best(pair);
    return `| ${pair} | ${contender} | ${ratio.toFixed(2)}, ${ratio >= CONVEX_BAR ? 'met' : '**not met**'} |`;
  };
  return [
    `| bar: ≥ ${CONVEX_BAR} × the best peer | which is | its time / ours |`,
    '|---|---|---|',
    ...[...new Set(rows.map(pairOf))].map(cells),
  ].join('\n');
}
