import { combineDigests, nameProblem, quoteName } from "@skillwright/core/internal";
import { foldName } from "../archive/entries/fold-name.ts";
import type { PackFailure } from "../pack-failure.ts";
import { byteOrder } from "../byte-order.ts";
import {
  type ManifestFile,
  type ManifestSkill,
  type PackManifest,
  renderManifest,
} from "./manifest.ts";
import { portablePathProblem } from "./portable-path.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 8 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * The manifest in a text of unknown origin. Only the one text that `renderManifest` would give is
 * taken: with that, no two readers can see different things in what was signed.
 */
export function readManifest(
  text: string,
): { readonly ok: true; readonly manifest: PackManifest } | PackFailure {
  try {
    if (text.length > MAX_CHARACTERS) throw new ManifestError("it is too long");
    const manifest = manifestOf(parse(text));
    if (renderManifest(manifest) !== text) {
      throw new ManifestError("its text is not in the canonical form");
    }
    return { ok: true, manifest };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return {
      ok: false,
      code: "lock-invalid",
      message: `manifest.json cannot be used: ${error.message}`,
      hint: "make the pack again with `skillwright pack`",
    };
  }
}

class ManifestError extends Error {}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ManifestError("it is not JSON");
  }
}

function manifestOf(value: unknown): PackManifest {
  const { schemaVersion, skills } = fieldsOf(value, "it", ["schemaVersion", "skills"]);
  if (schemaVersion !== 1) throw new ManifestError("`schemaVersion` is not 1");
  const list = listOf(skills, "`skills`").map(skillOf);
  if (list.length === 0) throw new ManifestError("it lists no skill");
  if (list.length > 1 && list[0]?.path === "") {
    throw new ManifestError("only a single skill can be at the root");
  }
  inOrder(list.map(({ path }) => path));
  const paths = list.flatMap(({ path, files }) =>
    files.map((file) => (path === "" ? file.path : `${path}/${file.path}`)),
  );
  checkPlaces(paths);
  return { schemaVersion, skills: list };
}

function skillOf(value: unknown): ManifestSkill {
  const known = ["name", "path", "version", "description", "digest", "files"];
  const fields = fieldsOf(value, "a skill", known);
  const name = textOf(fields, "name");
  const path = textOf(fields, "path");
  const problem = nameProblem(name) ?? portablePathProblem(name);
  if (problem !== undefined) throw new ManifestError(`the name ${quoteName(name)} ${problem}`);
  if (path !== "" && path !== name) {
    throw new ManifestError(`the skill ${quoteName(name)} is not in the folder of its name`);
  }
  const files = listOf(fields["files"], "`files`").map(fileOf);
  inOrder(files.map((file) => file.path));
  if (!files.some((file) => file.path === "SKILL.md")) {
    throw new ManifestError(`the skill ${quoteName(name)} has no SKILL.md`);
  }
  const digest = textOf(fields, "digest");
  if (digest !== combineDigests(files)) {
    throw new ManifestError(`the digest of ${quoteName(name)} is not that of its files`);
  }
  const description = textOf(fields, "description");
  return fields["version"] === undefined
    ? { name, path, description, digest, files }
    : { name, path, version: textOf(fields, "version"), description, digest, files };
}

function fileOf(value: unknown): ManifestFile {
  const fields = fieldsOf(value, "a file", ["path", "sha256", "size", "executable"]);
  const path = textOf(fields, "path");
  const problem = portablePathProblem(path);
  if (problem !== undefined) throw new ManifestError(`the path ${quoteName(path)} ${problem}`);
  const sha256 = textOf(fields, "sha256");
  if (!SHA256.test(sha256))
    throw new ManifestError(`the hash of ${quoteName(path)} is not SHA-256`);
  const { size, executable } = fields;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
    throw new ManifestError(`the size of ${quoteName(path)} is not a number of bytes`);
  }
  if (executable === undefined) return { path, sha256, size };
  if (executable !== true)
    throw new ManifestError(`\`executable\` of ${quoteName(path)} is not true`);
  return { path, sha256, size, executable };
}

function fieldsOf(value: unknown, what: string, known: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ManifestError(`${what} is not an object`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new ManifestError(`${what} has an unknown ${quoteName(unknown)}`);
  return value as Fields;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ManifestError(`${what} is not a list`);
  return value;
}

function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value !== "string") throw new ManifestError(`\`${key}\` is not a text`);
  return value;
}

function inOrder(paths: readonly string[]): void {
  const wrong = paths.findIndex((path, i) => i > 0 && byteOrder(paths[i - 1] ?? "", path) >= 0);
  if (wrong !== -1) throw new ManifestError(`${quoteName(paths[wrong] ?? "")} is out of order`);
}

/** Neither too long in its folder, nor two spellings of one path, nor a file where another path has a folder. */
function checkPlaces(paths: readonly string[]): void {
  const files = new Set<string>();
  for (const path of paths) {
    const problem = portablePathProblem(path);
    if (problem !== undefined) throw new ManifestError(`the path ${quoteName(path)} ${problem}`);
    const folded = foldName(path);
    if (files.has(folded))
      throw new ManifestError(`${quoteName(path)} is there twice on some systems`);
    files.add(folded);
  }
  for (const folded of files) {
    for (let end = folded.lastIndexOf("/"); end > 0; end = folded.lastIndexOf("/", end - 1)) {
      if (files.has(folded.slice(0, end))) {
        throw new ManifestError(`${quoteName(folded.slice(0, end))} is a file and a folder`);
      }
    }
  }
}
