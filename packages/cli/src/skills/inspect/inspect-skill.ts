import { lintSkill, type SkillRecord } from "@skillwright/core";
import { estimateTokens, formatToolRules, walkDirectory } from "@skillwright/core/internal";

/** All that `inspect` tells of a skill. */
export type SkillDetails = Awaited<ReturnType<typeof inspectSkill>>;

export async function inspectSkill(record: SkillRecord, digest: () => Promise<string>) {
  const [{ skill, diagnostics }, { entries }] = await Promise.all([
    lintSkill(record.path),
    walkDirectory(record.path, { maxEntries: 5000 }),
  ]);
  const others = entries.filter(({ path }) => path !== "SKILL.md");
  return {
    ...record,
    license: skill?.license,
    compatibility: skill?.compatibility,
    author: skill?.author,
    metadata: skill?.metadata ?? {},
    allowedTools:
      skill?.allowedTools === undefined ? undefined : formatToolRules(skill.allowedTools),
    digest: await digest().catch((error: unknown) => `none: ${(error as Error).message}`),
    tokens: {
      catalog: estimateTokens(`${record.name}\n${record.description}`),
      body: estimateTokens(skill?.body ?? ""),
      /** A rough count for text of this size. */
      files: Math.ceil(others.reduce((sum, { size }) => sum + size, 0) / 4),
    },
    files: entries.map(({ path, size, kind }) => ({ path, size, kind })),
    diagnostics: diagnostics.map(({ fix: _fix, ...diagnostic }) => diagnostic),
  };
}
