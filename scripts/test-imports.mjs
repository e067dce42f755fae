import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { SOURCES } from "./packages.mjs";
import { ROOT } from "./setup.mjs";

/** The lists of a package and of a folder directly below `src`; sources can move behind them. */
const FACADE = /^packages\/[^/]+\/src\/(?:[^/]+\/)?(?:index|testing)\.ts$/;
const ENTRIES = new Set(Object.values(SOURCES).map((file) => relative(ROOT, file)));
/** A module is mocked by the path of its own file. */
const MOCKS = "vi.mock(";

/** Every import of a private file by a test, as `<test>: <import>`. Also finds paths for child processes. */
export function privateTestImports() {
  return testFiles().flatMap((test) => {
    const text = readFileSync(join(ROOT, test), "utf8");
    if (text.includes(MOCKS)) return [];
    return [...text.matchAll(/"(\.\.?\/[^"\n]+\.ts)"/g)]
      .filter(([, path]) => isPrivate(join(dirname(test), path)))
      .map(([, path]) => `${test}: ${path}`);
  });
}

function isPrivate(file) {
  return (
    /^packages\/[^/]+\/src\//.test(file) &&
    !FACADE.test(file) &&
    !ENTRIES.has(file) &&
    existsSync(join(ROOT, file))
  );
}

function testFiles() {
  const packages = readdirSync(join(ROOT, "packages"));
  return [
    ...packages.flatMap((name) => filesOf(`packages/${name}/src`, ".test.ts")),
    ...filesOf("test", ".ts"),
  ];
}

function filesOf(folder, ending) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
