/** Every sample of `tests/samples`. */
import { readdirSync } from 'node:fs';
import type { Sample } from './kit/sample.ts';

const folder = new URL('./samples/', import.meta.url);

export async function allSamples(): Promise<Sample[]> {
  const all: Sample[] = [];
  for (const file of readdirSync(folder).sort()) {
    const { samples } = (await import(new URL(file, folder).href)) as { samples: Sample[] };
    all.push(...samples);
  }
  return all;
}
