import { lstat, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkInside } from "./check-inside.ts";
import { EXAMPLE, exampleSkill } from "./example-skill.ts";
import { configurationFiles } from "./first-configuration.ts";
import { SKILLS_README } from "./skills-readme.ts";
import { WORKFLOW_FILE, workflowText } from "./workflow.ts";

/** What a project does not keep under version control. */
const RULES = [".agent/runs/"];
const HEADING = "# Records of skillwright runs";

/**
 * The text of a .gitignore with our rules at its end; the same text when it has them. Line ends
 * stay as they are, and a file without a last line end stays so.
 */
export function withIgnoreRules(text: string): string {
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const present = new Set(text.split(/\r?\n/).map(normalized));
  const missing = RULES.filter((rule) => !present.has(normalized(rule)));
  if (missing.length === 0) return text;
  const added = [HEADING, ...missing].join(newline);
  if (text.trim() === "") return `${text}${added}${newline}`;
  const hasLastEnd = text.endsWith("\n");
  const gap = hasLastEnd ? newline : newline + newline;
  return `${text}${gap}${added}${hasLastEnd ? newline : ""}`;
}

/** `/.agent/runs`, `.agent/runs/` and `.agent/runs/**` mean the same here. */
function normalized(line: string): string {
  return line
    .trim()
    .replace(/^\//, "")
    .replace(/\/(\*\*?)?$/, "");
}

/** One file of `init`, and what is done about it. */
export interface PlannedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** For `append` one character per byte, so that a file in any encoding stays as it was. */
  readonly text: string;
  /** `append` replaces a file by one that has more at its end. */
  readonly step: "create" | "append" | "keep";
  /** Why it is kept, when that is not simply because it is there. */
  readonly reason?: string;
}

const SKILLS_FOLDER = ".agent/skills";
const MAX_IGNORE_BYTES = 1_000_000;

/** What `init` would do in a project. Reads only; refuses links that lead out of it. */
export async function planProject(
  project: string,
  { hasWorkflow }: { readonly hasWorkflow: boolean },
): Promise<PlannedFile[]> {
  const workflow = await planFile(project, WORKFLOW_FILE, workflowText());
  const plan = [
    await planFile(project, `${SKILLS_FOLDER}/README.md`, SKILLS_README),
    ...(await planExample(project)),
    ...(await planFiles(project, ".agent", await configurationFiles())),
    await planIgnoreRules(project),
    ...(hasWorkflow || workflow.step === "keep" ? [workflow] : []),
  ];
  for (const { path } of plan) await checkInside(dirname(path), project);
  return plan;
}

/** Only where there is no skill yet: whoever has removed it does not want it back. */
async function planExample(project: string): Promise<PlannedFile[]> {
  const folder = `${SKILLS_FOLDER}/${EXAMPLE}`;
  const entries = await readdir(join(project, SKILLS_FOLDER), { withFileTypes: true }).catch(
    () => [],
  );
  const others = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith("."));
  if (others.length > 0 && !others.some(({ name }) => name === EXAMPLE)) return [];
  return planFiles(project, folder, exampleSkill());
}

async function planFiles(
  project: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<PlannedFile[]> {
  const all = Object.entries(files);
  return Promise.all(all.map(([name, text]) => planFile(project, `${folder}/${name}`, text)));
}

async function planFile(project: string, path: string, text: string): Promise<PlannedFile> {
  const stats = await lstat(join(project, path)).catch(() => undefined);
  return { path, text, step: stats === undefined ? "create" : "keep" };
}

async function planIgnoreRules(project: string): Promise<PlannedFile> {
  const path = ".gitignore";
  const stats = await lstat(join(project, path)).catch(() => undefined);
  if (stats === undefined) return { path, text: withIgnoreRules(""), step: "create" };
  const keep = (reason: string) => ({ path, text: "", step: "keep" as const, reason });
  if (!stats.isFile()) return keep("it is a link; add .agent/runs/ yourself");
  if (stats.size > MAX_IGNORE_BYTES) return keep("it is very large; add .agent/runs/ yourself");
  const before = await readFile(join(project, path), "latin1");
  const text = withIgnoreRules(before);
  return text === before ? { path, text, step: "keep" } : { path, text, step: "append" };
}
