import { renderCatalog } from "../../packages/core/src/catalog/render-catalog.ts";
import { estimateTokens } from "../../packages/core/src/format/body/estimate-tokens.ts";
import { parseSkill } from "../../packages/core/src/format/parse-skill.ts";
import type { SkillRecord } from "../../packages/core/src/registry/skill-record.ts";
import { generateCorpus } from "../corpus.ts";
import { median } from "../parse/measure-rounds.ts";
import { check } from "../scan/bars.ts";

const COUNT = 15_000;
const BUDGET = 4000;
const ROUNDS = 9;
const BARS = { tokensPerSkill: 100, framing: 20, milliseconds: 60 };

/** What a catalog costs the model, and the machine. */
export function measureCatalog(): boolean {
  const records = makeRecords();
  const whole = records.map((record) => {
    const { tokens } = renderCatalog([record]);
    return { tokens, framing: tokens - estimateTokens(record.name + record.description) };
  });
  const list = estimateTokens("<available_skills>\n</available_skills>");
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    renderCatalog(records, { budgetTokens: BUDGET });
    return performance.now() - start;
  });
  const { tokens, shown, shortened, nameOnly, omitted } = renderCatalog(records, {
    budgetTokens: BUDGET,
  });
  console.log(
    `${COUNT} skills in ${BUDGET} tokens: ${tokens} used; ${shown.length} in full, ${shortened.length} shortened, ${nameOnly.length} by name, ${omitted.length} omitted\n`,
  );
  return [
    check(
      "tokens a skill, median",
      median(whole.map((skill) => skill.tokens - list)),
      BARS.tokensPerSkill,
    ),
    check(
      "of these framing, median",
      median(whole.map((skill) => skill.framing - list)),
      BARS.framing,
    ),
    check(`catalog of ${COUNT}, first call, ms`, times[0] ?? Number.NaN, BARS.milliseconds),
    check(`catalog of ${COUNT}, median, ms`, median(times), BARS.milliseconds),
  ].every(Boolean);
}

function makeRecords(): SkillRecord[] {
  return generateCorpus({ count: COUNT, seed: 1 }).flatMap(({ text, directoryName }, i) => {
    const { skill } = parseSkill(text, { directoryName });
    if (skill === undefined) return [];
    const name = `${directoryName}-${i}`;
    return [
      {
        id: `project:${name}`,
        name,
        description: skill.description,
        source: "project",
        root: "/skills",
        relativePath: name,
        path: `/skills/${name}`,
        alsoAt: [],
        alsoFrom: [],
        modelInvocable: true,
        userInvocable: true,
        runMode: "inline",
        metadata: skill.metadata,
        trusted: true,
        enabled: true,
        diagnostics: [],
      },
    ];
  });
}
