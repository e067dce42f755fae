import {
  openSkills,
  type OpenSkillsOptions,
  type ScriptExecutor,
  type Skills,
} from "@skillwright/core";
import { temporaryFolder } from "./temporary-folder.ts";

export const PDF_BODY = "# PDF\n\nStep 1: open the file.\nStep 2: read references/FORMS.md.\n";

/** One usual skill, one that is kept from models, one that does not parse, and a plain one. */
const FILES: Readonly<Record<string, string>> = {
  "pdf-processing/SKILL.md": `---\nname: pdf-processing\ndescription: Reads and merges PDF files. Use for forms.\n---\n${PDF_BODY}`,
  "pdf-processing/references/FORMS.md": "# Forms\n\nFill them.\n\n## Fields\n\nName them.\n",
  "pdf-processing/references/big.md": "A line of some length, again and again.\n".repeat(2000),
  "pdf-processing/assets/logo.bin": "\0\u0001\u0002",
  "pdf-processing/scripts/analyze.py": "print('analysed')\n",
  "pdf-processing/notes.txt": "Only a note.\n",
  "hidden-skill/SKILL.md":
    "---\nname: hidden-skill\ndescription: Deploys. Use when told.\ndisable-model-invocation: true\n---\nTop secret steps.\n",
  "hidden-skill/references/secret.md": "Top secret reference.\n",
  "hidden-skill/scripts/deploy.py": "print('deployed')\n",
  "broken/SKILL.md": "---\nname: broken\ndescription: [\n---\nText.\n",
  "dates/SKILL.md": "---\nname: dates\ndescription: Formats dates. Use when asked.\n---\n# Dates\n",
};

/** A folder with these skills, opened; gone when the test ends. */
export async function openToolSkills(
  options: OpenSkillsOptions = {},
  files: Readonly<Record<string, string>> = FILES,
): Promise<{ readonly root: string; readonly skills: Skills }> {
  const root = temporaryFolder(files);
  return { root, skills: await openSkills({ roots: [root], ...options }) };
}

/** Runs nothing: tells what it was asked to run. */
export const echoExecutor: ScriptExecutor = {
  canRun: (path) => path.endsWith(".py"),
  run: async ({ skill, script, args }) => ({
    ok: !args.includes("--fail"),
    text: `ran ${skill.name} ${script} ${args.join(" ")}`.trim(),
  }),
  runCommand: async (command) => ({ ok: command !== "false", text: `ran ${command}` }),
};
