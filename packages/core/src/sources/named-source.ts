import { checkOptions } from "../internal/options.ts";
import { join, resolve } from "node:path";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { namedMissing, rootDiagnostic } from "./scan-rules.ts";
import { fileStamp, type FoundSkill, type SkillSource, type SourceScan } from "./skill-source.ts";

export interface NamedSourceOptions {
  readonly directory: string;
  readonly names: readonly string[];
  readonly label?: string;
  readonly rules?: RuleSettings;
}

/**
 * Exactly these skills of one folder, in this order. An empty folder name or list is nothing; it
 * never means all.
 */
export function namedSource(options: NamedSourceOptions): SkillSource {
  checkOptions("namedSource", options, {
    directory: "string",
    names: "strings",
    label: "string",
    rules: "object",
  });
  const { directory, names, label = "project", rules } = options;
  const root = directory === "" ? "" : resolve(directory);
  return {
    roots: root === "" ? [] : [root],
    async scan(): Promise<SourceScan> {
      const skills: FoundSkill[] = [];
      const diagnostics: Diagnostic[] = [];
      for (const name of root === "" ? [] : names) {
        const found = await findNamed(name, root, label, rules);
        if ("skill" in found) skills.push(found.skill);
        else diagnostics.push(found.problem);
      }
      return { skills, diagnostics };
    },
  };
}

async function findNamed(
  name: string,
  root: string,
  source: string,
  rules: RuleSettings | undefined,
): Promise<{ skill: FoundSkill } | { problem: Diagnostic }> {
  const problem = (message: string) => ({ problem: rootDiagnostic(namedMissing, root, message) });
  if (name === "" || name === "." || /[/\\\0]|\.\./.test(name)) {
    return problem(`the name ${JSON.stringify(name)} is not allowed`);
  }
  const { readSkillHead } = await import("./read-skill-head.ts");
  const directory = join(root, name);
  const file = join(directory, "SKILL.md");
  const head = await readSkillHead({ file, directoryName: name, rules });
  if (!head.ok) return problem(`there is no skill ${JSON.stringify(name)} (${head.code})`);
  const { metadata, diagnostics } = head;
  const { stamp } = fileStamp(head.stats, 0n);
  const found = { source, root, relativePath: name, directory, diagnostics, stamp };
  return { skill: metadata === undefined ? found : { ...found, metadata } };
}
