import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { directorySource, type SkillRecord, type SkillSource } from "@skillwright/core";
import {
  combineDigests,
  fileDigests,
  filteredSource,
  renamedSource,
} from "@skillwright/core/internal";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { foldName, skillAt } from "./change-catalog.ts";
import { realPath } from "./eval-paths.ts";

/** Another version of a skill, under the same name. */
export interface OtherVersion {
  readonly source: SkillSource;
  readonly commit?: string;
  /** Of all that a model may come to see of it. */
  readonly digest: string;
}

export interface OtherVersionOptions {
  readonly reference: string;
  readonly cwd: string;
  /** Where versions are unpacked. */
  readonly folder: string;
}

const GIT_TIMEOUT_MS = 60_000;

/** A folder that holds the skill, or is it; else a commit of the repository that the skill lies in. */
export async function otherVersion(
  skill: SkillRecord,
  { reference, cwd, folder }: OtherVersionOptions,
): Promise<OtherVersion> {
  const given = resolve(cwd, reference);
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const found = isFolder
    ? { source: await sourceInFolder(given, skill) }
    : await sourceAtCommit(reference, skill, folder);
  return { ...found, digest: await sourceDigest(found.source) };
}

/** Its evals are no part of it, as in `catalogDigest`. */
async function sourceDigest(source: SkillSource): Promise<string> {
  const { skills } = await source.scan({});
  const contents = skills.map(async ({ directory, stamp = "" }) => {
    try {
      const files = await fileDigests(directory ?? "");
      return combineDigests(files.filter(({ path }) => !/^evals?\//.test(path)));
    } catch {
      // One with a link in it has no digest; its SKILL.md is known all the same.
      return `unreadable ${stamp}`;
    }
  });
  return digestOfAll(await Promise.all(contents));
}

/** Of several digests, in any order. */
export function digestOfAll(digests: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(digests.toSorted()));
  return `sha256:${hash.digest("hex")}`;
}

/** With the name of the skill that it stands for, so that it takes its place. */
async function sourceInFolder(given: string, skill: SkillRecord): Promise<SkillSource> {
  const folder = realPath(given);
  const itself = skillAt(folder, skill.source);
  if (await hasSkill(itself)) return renamedSource(itself, () => skill.name);
  const named = filteredSource(
    directorySource(folder, { label: skill.source }),
    ({ metadata }) => foldName(metadata?.name ?? "") === foldName(skill.name),
  );
  if (await hasSkill(named)) return named;
  throw new CommandFailure(EXIT.usage, `${given} holds no skill ${skill.name}`, {
    hint: "name the folder of the other version, or a folder of skills that has it",
  });
}

async function sourceAtCommit(
  reference: string,
  skill: SkillRecord,
  folder: string,
): Promise<Omit<OtherVersion, "digest">> {
  const path = realPath(skill.path);
  const name = `${reference}^{commit}`;
  const found = await git(path, ["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
  if (!found.ok || found.text === "") throw noVersion(reference, skill);
  const prefix = await git(path, ["rev-parse", "--show-prefix"]);
  const top = await git(path, ["rev-parse", "--show-toplevel"]);
  const commit = found.text;
  const root = join(folder, commit.slice(0, 12), skill.source);
  const destination = join(root, basename(path));
  await mkdir(destination, { recursive: true });
  const archive = `${destination}.tar`;
  const tree = `${commit}:${prefix.text.replace(/\/$/, "")}`;
  // Elsewhere than at the top it would archive only what lies below.
  const packed = await git(top.text, ["archive", "--format=tar", `--output=${archive}`, tree]);
  if (!packed.ok) {
    throw new CommandFailure(EXIT.usage, `the skill ${skill.name} is not in ${reference}`, {
      hint: "name a commit that has it in the same place",
    });
  }
  const { readArchive } = await import("@skillwright/packs");
  const unpacked = await readArchive(archive, { destination });
  if (!unpacked.ok) {
    throw new CommandFailure(EXIT.usage, `${skill.name} of ${reference}: ${unpacked.message}`);
  }
  const source = skillAt(destination, skill.source);
  if (await hasSkill(source)) return { source: renamedSource(source, () => skill.name), commit };
  throw new CommandFailure(EXIT.usage, `${skill.name} of ${reference} has no usable SKILL.md`);
}

async function hasSkill(source: SkillSource): Promise<boolean> {
  const { skills } = await source.scan({});
  return skills.some(({ metadata }) => metadata !== undefined);
}

function noVersion(reference: string, { name }: SkillRecord): CommandFailure {
  const message = `${JSON.stringify(reference)} is no folder, and no commit of the repository of ${name}`;
  const hint = "a folder with the other version, or a commit such as HEAD~1, main or v1.2.0";
  return new CommandFailure(EXIT.usage, message, { hint });
}

interface GitResult {
  readonly ok: boolean;
  readonly text: string;
}

/** No shell, no hooks, and nothing that asks. */
function git(cwd: string, args: readonly string[]): Promise<GitResult> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const options = { cwd, env, timeout: GIT_TIMEOUT_MS, encoding: "utf8" } as const;
  return new Promise((done) => {
    execFile("git", [...safe, ...args], options, (error, stdout) => {
      const isMissing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
      if (isMissing) done({ ok: false, text: "" });
      else done({ ok: error === null, text: stdout.trim() });
    });
  });
}
