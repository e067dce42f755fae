import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./setup.mjs";

/**
 * The packages that are imported, with the modules they are built from: those that `exports` of
 * package.json names, and under `imports` those that only the package itself starts, such as workers.
 */
export const LIBRARIES = readdirSync(join(ROOT, "packages"))
  .map((name) => readLibrary(join(ROOT, "packages", name)))
  .filter(({ entries }) => entries.length > 0);

/** Source files by specifier. Sub-paths come first, since an alias also matches what is below it. */
export const SOURCES = Object.fromEntries(
  LIBRARIES.flatMap(({ entries }) => entries)
    .map(({ specifier, source }) => [specifier, source])
    .sort(([a], [b]) => b.length - a.length),
);

function readLibrary(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, exports, imports = {} } = manifest;
  const targets = Object.entries({ ...exports, ...imports }).flatMap(([key, target]) => {
    const built = /^\.\/dist\/(.+)\.js$/.exec(target.default ?? target)?.[1];
    return built === undefined ? [] : [{ key, built }];
  });
  const entries = targets.map(({ key, built }) => ({
    specifier: key.startsWith("#") ? key : `${name}${key.slice(1)}`,
    /** Path in dist, without its ending. */
    built,
    source: join(folder, "src", `${built}.ts`),
  }));
  return { name, folder, entries };
}
