// npm run docs: the API reference from the doc comments, into docs/api.
import { bin, install, run } from './setup.mjs';

install();
run(bin('typedoc'), []);
