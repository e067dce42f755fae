import { lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { defaultCacheDirectory } from "../registry/disk-cache.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import { inlineFiles } from "../sources/inline-files.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import type { ScriptRequest } from "../tools/skill-tool.ts";
import type { PreparedScript, SkillScript } from "./disclosure.ts";

const SCRIPTS = "scripts/";
const MAX_SCRIPTS = 100;
const MAX_DEPTH = 3;

/** Looked up once for each record; a new look of the registry makes new records. */
const known = new WeakMap<SkillRecord, readonly SkillScript[]>();

/** Only names are looked at; whether a script may run is decided when it is called. */
export function scriptsOf(
  skill: SkillRecord,
  inline: InlineSkill | undefined,
): readonly SkillScript[] {
  const before = known.get(skill);
  if (before !== undefined) return before;
  const scripts = inline === undefined ? scriptsIn(skill.path) : inlineScripts(skill, inline);
  known.set(skill, scripts);
  return scripts;
}

function inlineScripts({ uri }: SkillRecord, skill: InlineSkill): SkillScript[] {
  // Only an executor that knows the server can run what it keeps.
  if (uri !== undefined) return [];
  const code = new Set(skill.scripts?.map(({ path }) => path));
  return [...inlineFiles(skill).keys()]
    .filter((path) => path.startsWith(SCRIPTS))
    .slice(0, MAX_SCRIPTS)
    .map((path) => ({ path, isCode: code.has(path) }));
}

function scriptsIn(folder: string): SkillScript[] {
  const paths: string[] = [];
  if (isAbsolute(folder)) collect(folder, "scripts", paths);
  return paths.map((path) => ({ path, isCode: false }));
}

function collect(root: string, folder: string, scripts: string[]): void {
  try {
    if (!lstatSync(join(root, folder)).isDirectory()) return;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (scripts.length >= MAX_SCRIPTS) return;
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) scripts.push(path);
      else if (entry.isDirectory() && path.split("/").length <= MAX_DEPTH) {
        collect(root, path, scripts);
      }
    }
  } catch {
    // Most skills have no scripts; a folder that cannot be read has none for us.
  }
}

/** The request for an executor, with the skill in a folder. */
export async function prepareScript(
  request: ScriptRequest,
  inline: InlineSkill | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PreparedScript> {
  const { skill, script } = request;
  // What a server keeps is fetched by an executor that knows the server, or not run at all.
  if (inline === undefined || skill.uri !== undefined) return { ok: true, request };
  const code = inline.scripts?.find(({ path }) => path === script);
  if (code !== undefined) {
    const { inlineContent } = await import("../sources/inline-skills.ts");
    const { digest, text } = await inlineContent(inline);
    const { parseSkill } = await import("../format/parse-skill.ts");
    const parsed = parseSkill(text).skill;
    // Where SKILL.md cannot be read, nothing is allowed on its behalf.
    const allowedTools = parsed === undefined ? [] : parsed.allowedTools;
    return { ok: true, request: { ...request, code, digest, text: code.text, allowedTools } };
  }
  const { materializeSkill } = await import("../sources/materialize.ts");
  const folder = join(defaultCacheDirectory(env), "skills");
  const written = await materializeSkill(inline, folder);
  if (!written.ok) return written;
  return { ok: true, request: { ...request, skill: { ...skill, path: written.path } } };
}
