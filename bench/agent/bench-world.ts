import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inlineSource, openSkills, type Skills, type SkillTool } from "@skillwright/core";
import { createRedactor } from "../../packages/runtime/src/audit/redaction/create-redactor.ts";
import { createFileStore, type FileStore } from "../../packages/agent/src/runs/file-store.ts";
import { MAX_TEXT } from "../../packages/agent/src/runs/redact-fields.ts";

export interface BenchWorld {
  readonly folder: string;
  readonly skills: Skills;
  readonly tool: SkillTool;
  openStore(): FileStore;
  remove(): void;
}

const SKILLS = 50;
/** About what a search result or a small file has. */
const RESULT = "a line of a result, neither short nor long\n".repeat(10);

/** A catalog as a project has it, a tool that answers at once, and a place for records. */
export async function openBenchWorld(): Promise<BenchWorld> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-bench-agent-"));
  const skills = await openSkills({
    roots: [
      inlineSource(
        Array.from({ length: SKILLS }, (_, i) => ({
          name: `skill-${i}`,
          description: `Does the work of kind ${i}. Use when work of kind ${i} is asked for.`,
          instructions: `# Steps\n${"Do the next step with care.\n".repeat(20)}`,
        })),
      ),
    ],
  });
  let stores = 0;
  return {
    folder,
    skills,
    tool: {
      name: "look",
      description: "Looks something up.",
      inputSchema: { type: "object", properties: { number: { type: "integer" } } },
      execute: () => Promise.resolve(RESULT),
      toText: String,
    },
    openStore: () =>
      createFileStore({
        root: folder,
        directory: `runs-${++stores}`,
        stateDirectory: join(folder, "state"),
        redactor: createRedactor({ env: process.env, maxStringLength: MAX_TEXT }),
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
