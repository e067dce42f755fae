import type { SkillRecord } from "@skillwright/core";

/** A skill that everyone may see. */
export function skillRecord(name: string, changes: Partial<SkillRecord> = {}): SkillRecord {
  return {
    id: `project:${name}`,
    name,
    description: `Does ${name}. Use when asked.`,
    source: "project",
    root: "/skills",
    relativePath: name,
    path: `/skills/${name}`,
    alsoAt: [],
    alsoFrom: [],
    modelInvocable: true,
    userInvocable: true,
    runMode: "inline",
    metadata: {},
    trusted: true,
    enabled: true,
    diagnostics: [],
    ...changes,
  };
}
