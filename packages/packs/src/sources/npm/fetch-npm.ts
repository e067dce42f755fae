import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readArchive } from "../../archive/read-archive.ts";
import type { FetchedPack, FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { DEFAULT_LIMITS } from "../../pack-limits.ts";
import { takeFolders } from "../local/take-skills.ts";
import { newFolder, packOf } from "../pack-folder.ts";
import type { NpmSource } from "../parse/parsed-source.ts";
import { folderSize } from "../program/folder-size.ts";
import { sourceFailure } from "../source-failure.ts";
import { npmFailure } from "./npm-failure.ts";
import { openNpm } from "./open-npm.ts";
import { packageSkills } from "./package-skills.ts";

interface PackedPackage {
  readonly ok: true;
  readonly file: string;
  readonly version: string;
}

/** The skills of a package. Its tarball is read as an archive; nothing of it is installed or run. */
export async function fetchNpm(
  { source, ref }: NpmSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const archives = await newFolder(options, "archive");
  const packed = await pack(source, ref, archives, options);
  if (!packed.ok) return packed;
  const work = await newFolder(options, "work");
  const { limits, signal, onProgress } = options;
  const read = await readArchive(packed.file, { destination: work, limits, signal, onProgress });
  if (!read.ok) return read;
  const [top = "", ...others] = await readdir(work);
  const root = others.length === 0 ? join(work, top) : work;
  const skills = await packageSkills(root);
  if (skills.paths.length === 0) {
    return sourceFailure("skill-missing", `the package ${source} has no skills`, {
      hint: "Skills are looked for in skills/*, dist/skills/*, what “skills” in its package.json names, and at its root.",
    });
  }
  const content = await newFolder(options, "pack");
  const taken = await takeFolders(root, content, skills.paths, options);
  if (!taken.ok) return taken;
  await rm(work, { recursive: true, force: true });
  const origin = {
    type: "npm",
    source,
    ...(ref !== undefined && { ref }),
    resolved: packed.version,
    integrity: read.integrity,
  } as const;
  const notes = [...read.notes, ...skills.notes, ...taken.notes];
  const rootName = source.split("/").at(-1) ?? source;
  return packOf({ content, origin, rootName, notes, archive: packed.file }, options);
}

async function pack(
  name: string,
  range: string | undefined,
  folder: string,
  options: FetchOptions,
): Promise<PackedPackage | PackFailure> {
  const npm = openNpm(folder, options);
  if (!npm.ok) return npm;
  const spec = range === undefined ? name : `${name}@${range}`;
  const { archiveBytes } = { ...DEFAULT_LIMITS, ...options.limits };
  const isTooMuch = async () => {
    const done = await folderSize(folder);
    options.onProgress?.({ phase: "fetch", done, unit: "bytes", detail: name });
    return done > archiveBytes;
  };
  const result = await npm.run(["pack", `--pack-destination=${folder}`, "--", spec], { isTooMuch });
  if (result.ended !== "exit" || result.status !== 0) return npmFailure(spec, result);
  const version = versionIn(result.stdout.toString("utf8"), name);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".tgz"));
  const [file] = files;
  const isFile = file !== undefined && (await stat(join(folder, file))).isFile();
  if (version === undefined || !isFile || files.length !== 1) return npmFailure(spec, result);
  return { ok: true, file: join(folder, file), version };
}

/** Of `npm pack --json`: a list, or in some versions an object by name. */
function versionIn(output: string, name: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(output);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    for (const entry of Object.values(parsed)) {
      if (typeof entry !== "object" || entry === null) continue;
      const { name: packed, version } = entry as { name?: unknown; version?: unknown };
      if (packed === name && typeof version === "string") return version;
    }
    return undefined;
  } catch {
    return undefined;
  }
}
