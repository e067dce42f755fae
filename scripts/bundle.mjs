import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { LIBRARIES, SOURCES } from "./packages.mjs";
import { ROOT } from "./setup.mjs";
import { thirdPartyLicenses } from "./third-party-licenses.mjs";

/**
 * What every command needs to list skills stands apart from the parser and from YAML, which few heads
 * need: left to itself, the bundler puts what is small beside what is large.
 */
const CHUNKS = [
  {
    name: "heads",
    test: /core[\\/]src[\\/](?:internal[\\/](?:text|hidden-characters|files|lazy-builtins)|format[\\/](?:reporter|fields[\\/]known-keys|text[\\/]|rules[\\/](?:rule|field-rules|syntax-rules)))/,
  },
];

/**
 * The command line. As CommonJS it starts faster: Node loads such files without its module loader.
 * Each command is a file of its own, with what only it needs.
 */
export async function bundleCli() {
  const { rolldown } = await import("rolldown");
  const folder = join(ROOT, "packages/cli/dist");
  const fresh = `${folder}.${process.pid}`;
  const bundle = await rolldown({
    input: { skillwright: join(ROOT, "packages/cli/src/skillwright.ts") },
    platform: "node",
    resolve: { alias: SOURCES },
    plugins: [withoutChildProcesses],
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: fresh,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: true,
    codeSplitting: { groups: CHUNKS },
  });
  await bundle.close();
  const files = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  await writeFile(join(fresh, LICENSES), thirdPartyLicenses(files));
  // A build that fails leaves the last one in place.
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** Commander loads `child_process` for commands that are programs of their own; we have none. */
const withoutChildProcesses = {
  name: "without-child-processes",
  resolveId: (id, importer) =>
    id === "node:child_process" && importer?.includes("node_modules/commander")
      ? "\0no-child-processes"
      : undefined,
  load: (id) => (id === "\0no-child-processes" ? "export default undefined;" : undefined),
};

/** Packages that cost more to load, as files of their own or with Node's lexer, than they have code. */
const INLINED = /^(?:ignore$|js-yaml$|eventsource-parser$|@oxc-project\/runtime\/)/;
const LICENSES = "THIRD-PARTY-LICENSES.txt";

/** Each library as one file per entry, with what is imported later in `chunks/`. */
export async function bundleLibraries() {
  for (const library of LIBRARIES) await bundleLibrary(library);
}

export async function bundleLibrary({ folder, entries }) {
  const { rolldown } = await import("rolldown");
  const eager = eagerModules(entries);
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(({ built, source }) => [built, source])),
    platform: "node",
    external: (id) => /^[^./\0]/.test(id) && !INLINED.test(id),
    treeshake: { moduleSideEffects: false },
    plugins: [eager.plugin],
    // The command line is another bundle, where these imports do come later.
    checks: { ineffectiveDynamicImport: false },
    logLevel: "warn",
  });
  const { output } = await bundle.generate({
    dir: join(folder, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // Half the time to import is V8's, and by the size of the text. Names stay, for stack traces.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    charset: "ascii",
    sourcemap: true,
    codeSplitting: { groups: eager.groups },
  });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const files = new Map(output.map((file) => [file.fileName, file.code ?? file.source]));
  const licenses = thirdPartyLicenses(modules);
  if (licenses !== "") files.set(LICENSES, licenses);
  await writeDist(join(folder, "dist"), files);
}

/**
 * Puts what the same entries import at once into one chunk. Left to itself, the bundler makes one of
 * every module that a lazy part needs too, and each file costs time.
 */
function eagerModules(entries) {
  const entriesOf = new Map();
  return {
    plugin: {
      name: "eager-modules",
      buildEnd() {
        for (const { built, source } of entries) {
          const reached = new Set([source]);
          for (const id of reached) {
            entriesOf.set(id, [...(entriesOf.get(id) ?? []), built.replaceAll("/", "-")]);
            for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
          }
        }
      },
    },
    // What more entries share is taken first: a group also takes what its modules import.
    groups: entries.map((_, i) => ({
      name: (id) => (entriesOf.get(id)?.length === i + 1 ? entriesOf.get(id).join("+") : null),
      debugName: `imported at once by ${i + 1}`,
      priority: i + 1,
    })),
  };
}

/** Chunks before the entries that import them, then away with those of earlier builds. */
async function writeDist(dist, files) {
  for (const [name, text] of [...files].reverse()) {
    const file = join(dist, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.${process.pid}`, text);
    await rename(`${file}.${process.pid}`, file);
  }
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const name = relative(dist, join(entry.parentPath, entry.name));
    const isOurs = entry.isFile() && /\.js(?:\.map)?$|^THIRD-PARTY/.test(name);
    if (isOurs && !files.has(name)) await rm(join(dist, name));
  }
}

/** Loads a TypeScript module of the workspace, its packages from source, other packages as they are. */
export async function loadTypescript(entry) {
  const file = await bundleTypescript(entry, join(ROOT, "node_modules/.cache/skillwright"));
  return import(`${pathToFileURL(file).href}?${Date.now()}`);
}

/** The same as a file in a folder. */
export async function bundleTypescript(entry, folder) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: join(ROOT, entry),
    platform: "node",
    resolve: { alias: SOURCES },
    external: (id, importer) =>
      !(/^(?:[./]|@oxc-project\/runtime\/)/.test(id) || id in SOURCES || isNested(id, importer)),
    logLevel: "warn",
  });
  const file = join(folder, `${entry.replaceAll(/[^a-z0-9]+/gi, "-")}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

/** A dependency that npm installed below one package cannot be found from the bundle's folder. */
function isNested(id, importer = "") {
  const [folder] = /^.*?\/packages\/[^/]+\//.exec(importer) ?? [];
  return folder !== undefined && existsSync(join(folder, "node_modules", id, "package.json"));
}
