import * as graze from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

export const samples: Sample[] = [{ fn: graze.requestGpu, args: {} }];
