/** The sample calls of `tests/samples`. */
import { readdirSync } from 'node:fs';
import type { Sample } from './kit/sample.ts';

const folder = new URL('./samples/', import.meta.url);

export const sampleFiles = (): string[] => readdirSync(folder).sort();

/** Of one file. */
export async function samplesOf(file: string): Promise<Sample[]> {
  const { samples } = (await import(new URL(file, folder).href)) as { samples: Sample[] };
  return samples;
}

/** Of all files. */
export async function allSamples(): Promise<Sample[]> {
  return (await Promise.all(sampleFiles().map(samplesOf))).flat();
}
