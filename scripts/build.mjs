import { join } from "node:path";
import { bundleCli } from "./bundle.mjs";
import { run } from "./npm.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled("full");
// The bundle empties the CLI's dist folder, in which tsc keeps its build information.
await bundleCli();
run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-b", ROOT]);
