/** graze for react-three-fiber. */
export {};
