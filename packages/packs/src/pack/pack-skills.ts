import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { checkOptions, type OptionKinds, oneOf } from "@skillwright/core/internal";
import { foldName } from "../archive/entries/fold-name.ts";
import { byteOrder } from "../byte-order.ts";
import type { PackFailure } from "../pack-failure.ts";
import { DEFAULT_LIMITS, type PackLimits } from "../pack-limits.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { canceled } from "./collect-files.ts";
import { MANIFEST_FILE, type PackManifest, renderManifest } from "./manifest.ts";
import type { PackOptions, PackResult } from "./pack-options.ts";
import { type OutputFile, placeFiles } from "./place-files.ts";
import { type PreparedSkill, prepareSkill } from "./prepare-skill.ts";
import { skillDirectories } from "./skill-directories.ts";
import { wellKnownFiles } from "./well-known-files.ts";
import { writeTarGzip } from "./write-tar-gzip.ts";
import { writeZip } from "./write-zip.ts";

interface Outputs {
  readonly outputs: readonly OutputFile[];
  readonly file: string;
  /** Of each skill, in order. */
  readonly paths: readonly string[];
}

const OPTIONS: OptionKinds<PackOptions> = {
  directories: "strings",
  root: "string",
  output: "string",
  format: oneOf("zip", "tar.gz", "well-known"),
  layout: oneOf("pack", "folders", "root"),
  compression: oneOf("deflate", "store"),
  strict: "boolean",
  allowSecrets: "boolean",
  force: "boolean",
  limits: "object",
  baseUrl: "string",
  archives: oneOf("tar.gz", "zip"),
  olderIndex: "boolean",
  signal: "object",
  onProgress: "function",
};

export async function packSkills(options: PackOptions): Promise<PackResult | PackFailure> {
  checkOptions("packSkills", options, OPTIONS, ["output", "format"]);
  const problem = optionsProblem(options);
  if (problem !== undefined) return { ok: false, code: "source-invalid", message: problem };
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const directories = await skillDirectories(options);
  if (!Array.isArray(directories)) return directories;
  const isSite = options.format === "well-known";
  const closed = isSite && options.root !== undefined ? [options.root] : directories;
  const misplaced = await checkOutputPlace(options.output, closed);
  if (misplaced !== undefined) return misplaced;
  const skills = await prepareSkills(directories, options, limits);
  if (!Array.isArray(skills)) return skills;
  if (options.layout === "root" && skills.length > 1) {
    const message = `${skills.length} skills cannot all be at the root of one archive`;
    return { ok: false, code: "source-invalid", message, hint: "leave the layout out" };
  }
  const manifest = manifestOf(skills, options);
  const tooMuch = isSite ? undefined : checkPackSize(skills, manifest, limits);
  if (tooMuch !== undefined) return tooMuch;
  const { outputs, file, paths } = await outputsOf(skills, manifest, options, limits);
  const large = checkOutputSize(outputs, limits);
  if (large !== undefined) return large;
  if (options.signal?.aborted === true) return canceled();
  const placed = await placeFiles(outputs, options.force);
  if (!placed.ok) return placed;
  return {
    ok: true,
    file,
    files: outputs.map((output) => output.file),
    skills: skills.map(({ entry: { name, digest, files } }, i) => {
      return { name, digest, path: paths[i] ?? "", files };
    }),
    bytes: outputs.reduce((sum, { content }) => sum + content.length, 0),
    manifest,
    unchanged: placed.unchanged,
    diagnostics: skills.flatMap(({ diagnostics }) => diagnostics),
    leftOut: skills.flatMap(({ leftOut }) => leftOut),
  };
}

function optionsProblem({ format, layout, baseUrl }: PackOptions): string | undefined {
  if (format === "well-known" && layout !== undefined) {
    return "the layout of a well-known index is fixed";
  }
  if (baseUrl === undefined) return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isFine = url?.protocol === "https:" && url.username === "" && url.password === "";
  return isFine && url.search === "" && url.hash === ""
    ? undefined
    : `the address ${JSON.stringify(baseUrl)} is not a plain https URL`;
}

async function prepareSkills(
  directories: readonly string[],
  { format, strict = false, allowSecrets = false, signal, onProgress }: PackOptions,
  limits: PackLimits,
): Promise<PreparedSkill[] | PackFailure> {
  const skills: PreparedSkill[] = [];
  const names = new Map<string, string>();
  let files = 0;
  let bytes = 0;
  for (const [i, directory] of directories.entries()) {
    if (signal?.aborted === true) return canceled();
    // On a site, each skill is an archive of its own.
    const isAlone = format === "well-known";
    const left = isAlone ? limits : { files: limits.files - files, bytes: limits.bytes - bytes };
    const skill = await prepareSkill(directory, { limits: left, allowSecrets, strict, signal });
    if (!skill.ok) return skill;
    const { name } = skill.entry;
    const other = names.get(foldName(name));
    if (other !== undefined) return twice(name, directory, other);
    names.set(foldName(name), directory);
    skills.push(skill);
    files += skill.files.length;
    bytes += skill.files.reduce((sum, { content }) => sum + content.length, 0);
    const done = i + 1;
    onProgress?.({ phase: "pack", done, total: directories.length, unit: "skills", detail: name });
  }
  return skills.sort((a, b) => byteOrder(a.entry.name, b.entry.name));
}

function manifestOf(skills: readonly PreparedSkill[], { layout }: PackOptions): PackManifest {
  const entries = skills.map(({ entry }) => (layout === "root" ? { ...entry, path: "" } : entry));
  return { schemaVersion: 1, skills: entries };
}

async function outputsOf(
  skills: readonly PreparedSkill[],
  manifest: PackManifest,
  options: PackOptions,
  { ratio }: PackLimits,
): Promise<Outputs> {
  const { format, layout = "pack", compression = "deflate" } = options;
  const file = resolve(options.output);
  if (format === "well-known") {
    const { archives = "tar.gz", olderIndex = false, baseUrl } = options;
    const site = { output: file, archives, olderIndex, baseUrl, compression, ratio };
    const { outputs, index, addresses } = await wellKnownFiles(skills, site);
    return { outputs, file: index, paths: addresses };
  }
  const paths = manifest.skills.map(({ path }) => path);
  const entries: ArchiveEntry[] = skills.flatMap(({ files }, i) =>
    files.map((entry) => ({ ...entry, path: paths[i] ? `${paths[i]}/${entry.path}` : entry.path })),
  );
  if (layout === "pack") {
    const content = Buffer.from(renderManifest(manifest));
    entries.push({ path: MANIFEST_FILE, content, executable: false });
  }
  const write = format === "zip" ? writeZip : writeTarGzip;
  const content = await write(entries, { compression, ratio });
  return { outputs: [{ file, content }], file, paths };
}

function twice(name: string, directory: string, other: string): PackFailure {
  const message = `${JSON.stringify(directory)} and ${JSON.stringify(other)} are both named ${JSON.stringify(name)}`;
  return { ok: false, code: "name-taken", message, hint: "rename one of them" };
}

/** Refuses an output that would become part of what is packed the next time. */
async function checkOutputPlace(
  output: string,
  folders: readonly string[],
): Promise<PackFailure | undefined> {
  const place = await realPlace(resolve(output));
  for (const folder of folders) {
    const way = relative(await realPlace(resolve(folder)), place);
    if (way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way) {
      return {
        ok: false,
        code: "root-unwritable",
        message: `the output ${JSON.stringify(output)} lies in ${JSON.stringify(folder)}, which is packed`,
        hint: "choose an output outside of it",
      };
    }
  }
  return undefined;
}

/** The real path of something that may not exist yet. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlace(parent), basename(path));
  }
}

/** Refuses one archive of all these skills that a reader with these limits would refuse. */
function checkPackSize(
  skills: readonly PreparedSkill[],
  manifest: PackManifest,
  limits: PackLimits,
): PackFailure | undefined {
  const folders = skills.reduce((sum, skill) => sum + skill.folders + 1, 0);
  if (folders > limits.files) return tooMuch(`the pack would have ${folders} folders`);
  const contents = skills.flatMap(({ files }) => files.map(({ content }) => content.length));
  const listed = Buffer.byteLength(renderManifest(manifest));
  const bytes = contents.reduce((sum, size) => sum + size, listed);
  return bytes > limits.bytes ? tooMuch(`the pack would unpack to ${bytes} bytes`) : undefined;
}

function checkOutputSize(
  outputs: readonly OutputFile[],
  { archiveBytes }: PackLimits,
): PackFailure | undefined {
  const large = outputs.find(({ content }) => content.length > archiveBytes);
  if (large === undefined) return undefined;
  return tooMuch(`${JSON.stringify(large.file)} would have ${large.content.length} bytes`);
}

function tooMuch(what: string): PackFailure {
  return {
    ok: false,
    code: "limit-exceeded",
    message: `${what}, more than installers accept`,
    hint: "make several packs, or raise the limits here and there",
  };
}
