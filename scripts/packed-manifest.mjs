import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The command line is one bundle: what it is built from is no dependency of what is published, which
 * can so be installed by itself. Only what a person may add, the optional peers of the libraries in it,
 * stays. The manifest is that of the published package while it is packed; the original is kept beside.
 */
export function packedManifest(folder) {
  const file = join(folder, "package.json");
  const text = readFileSync(file, "utf8");
  replace(`${file}.original`, text);
  replace(file, published(text, folder));
}

/** Also after a packing that was cut off. Whoever changed the file since then keeps the change. */
export function restoreManifest(folder) {
  const file = join(folder, "package.json");
  const kept = `${file}.original`;
  if (!existsSync(kept)) return;
  const original = readFileSync(kept, "utf8");
  if (readFileSync(file, "utf8") === published(original, folder)) renameSync(kept, file);
  else rmSync(kept);
}

function published(text, folder) {
  const { dependencies, scripts: _, devDependencies: __, ...manifest } = JSON.parse(text);
  const libraries = Object.keys(dependencies)
    .filter((name) => name.startsWith("@skillwright/"))
    .map((name) => readManifest(join(folder, "..", name.replace("@skillwright/", ""))));
  const merged = (field) => Object.assign({}, ...libraries.map((library) => library[field]));
  const peers = {
    peerDependencies: merged("peerDependencies"),
    peerDependenciesMeta: merged("peerDependenciesMeta"),
  };
  return `${JSON.stringify({ ...manifest, ...peers }, null, 2)}\n`;
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function replace(file, text) {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}
