import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadTypescript } from "./bundle.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

const names = readdirSync(join(ROOT, "bench"))
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.replace(".bench.ts", ""));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there are: ${names.join(", ")}`);
  process.exit(2);
}

ensureInstalled("run");
ensureInstalled("full", join(ROOT, "bench"));
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n# ${name}\n`);
  const { run } = await loadTypescript(
    `bench/${name}.bench.ts`,
    join(ROOT, "bench/node_modules/.cache"),
  );
  await run();
}
