import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleTypescript } from "./bundle.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

const names = readdirSync(join(ROOT, "bench"))
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.replace(".bench.ts", ""));
const given = process.argv.slice(2);
const wanted = given.filter((name) => names.includes(name));
const others = given.filter((name) => !names.includes(name));
/** `scan` also measures real skills below a folder. */
const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const unknown = others.filter((path) => !wanted.includes("scan") || !isFolder(path));
const folders = others.map((path) => resolve(path));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there are: ${names.join(", ")}`);
  process.exit(2);
}

ensureInstalled("run");
ensureInstalled("full", join(ROOT, "bench"));
/** In a process of its own: the bundler takes 150 MiB, which is not memory of what is measured. */
const RUN = "const [, url, ...folders] = process.argv; await (await import(url)).run(folders);";
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n# ${name}\n`);
  const folder = join(ROOT, "bench/node_modules/.cache");
  const file = await bundleTypescript(`bench/${name}.bench.ts`, folder);
  const options = ["--input-type=module", "--eval", RUN, pathToFileURL(file).href, ...folders];
  const { status } = spawnSync(process.execPath, options, { stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}
