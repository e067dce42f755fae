import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SKILLS = {
  pdf: "Fills PDF forms. Use when a PDF form has to be filled.",
  csv: "Profiles CSV tables. Use when a table has to be profiled.",
  mail: "Sorts mail. Use when an inbox has to be sorted.",
} as const;

const REQUESTS = {
  pdf: "Fill the PDF form",
  csv: "Profile the table",
  mail: "Sort the inbox",
} as const;

export interface MockWorld {
  readonly project: string;
  readonly home: string;
  remove(): void;
}

/** A project with so many cases; `mock` gives the decisions, else the offline model decides. */
export function createMockWorld(count: number, isMock = true): MockWorld {
  const home = mkdtempSync(join(tmpdir(), "skillwright-bench-"));
  const project = join(home, "project");
  for (const [name, description] of Object.entries(SKILLS)) {
    const folder = join(project, ".agent/skills", name);
    mkdirSync(folder, { recursive: true });
    const head = `---\nname: ${name}\ndescription: ${description}\n---\n`;
    writeFileSync(join(folder, "SKILL.md"), `${head}# ${name}\n\nDo it, and say what was done.\n`);
  }
  mkdirSync(join(project, ".agent/evals"), { recursive: true });
  mkdirSync(join(project, ".git"));
  const cases = Array.from({ length: count }, (_, i) => mockCase(i, isMock));
  writeFileSync(join(project, ".agent/evals/cases.json"), JSON.stringify({ cases }));
  return { project, home, remove: () => rmSync(home, { recursive: true, force: true }) };
}

function mockCase(index: number, isMock: boolean) {
  const names = Object.keys(SKILLS) as (keyof typeof SKILLS)[];
  const name = names[index % names.length] ?? "pdf";
  const answer = { action: "final_answer", answer: `Number ${index} is done.` };
  return {
    id: `case-${index}`,
    input: `${REQUESTS[name]} number ${index}`,
    expected: {
      skills: [name],
      sequence: [`select ${name} before answer`],
      ...(isMock && { output: [{ type: "contains", value: `Number ${index} ` }] }),
    },
    constraints: { maxToolCalls: 5 },
    ...(isMock && {
      mock: { actions: [{ action: "select_skills", skills: [{ name }] }, answer] },
    }),
  };
}
