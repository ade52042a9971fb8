// The table in docs/continuous.md and the plot beside it of what contact times cost, from what bench/subjects/contact-growth.ts has measured.
// node scripts/contact-report.mjs makes them from bench/results.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';
import { growthPlot, growthTable } from './space-report.mjs';

const WANTED = 'contact time';

export function writeContactReport(rows) {
  if (rows.length === 0) return;
  const file = join(root, 'docs', 'continuous.md');
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split('<!-- contact growth -->\n');
  const after = rest.split('<!-- /contact growth -->')[1];
  writeFileSync(
    file,
    `${before}<!-- contact growth -->\n${growthTable(rows, WANTED)}\n<!-- /contact growth -->${after}`,
  );
  writeFileSync(join(root, 'docs', 'contact-growth.svg'), growthPlot(rows, WANTED));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeContactReport(
    JSON.parse(readFileSync(join(root, 'bench', 'results.json'), 'utf8'))['contact-growth.ts'] ?? [],
  );
