import { join } from "node:path";
import { bundleCli, bundleLibraries } from "./bundle.mjs";
import { run } from "./npm.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled("full");
await bundleCli();
await bundleLibraries();
run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-b", ROOT]);
