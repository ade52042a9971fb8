/** The tests of RTCD chapter 5, as plain functions. */
export * from './closest/index.ts';
export * from './contain/index.ts';
export * from './overlap/index.ts';
export * from './ray/index.ts';
export * from './sweep/index.ts';
export * from './types.ts';
