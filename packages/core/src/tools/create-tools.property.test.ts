import fc from "fast-check";
import { expect, it } from "vitest";
import { anyUnits } from "../../../../test/arbitraries/hostile-text.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { echoExecutor, openToolSkills } from "../../../../test/support/tool-skills.ts";
import type { ToolPreset } from "../internal/index.ts";
import { createTools } from "./index.ts";

const PRESETS: readonly ToolPreset[] = ["standard", "lookup", "scripts", "sop", "autobot"];
const OPTIONS = { executor: echoExecutor, catalogBudgetTokens: 20 };

const name = fc.constantFrom(
  "skill_name",
  "Skill-Name",
  "file_path",
  "relative_path",
  "script_file",
  "script_name",
  "directory",
  "section",
  "startLine",
  "endLine",
  "query",
  "n",
  "args",
  "command",
  "__proto__",
  "constructor",
  "toString",
);

const value = fc.oneof(
  fc.constantFrom(
    "pdf-processing",
    "hidden-skill",
    "references/FORMS.md",
    "../hidden-skill/SKILL.md",
    "references/big.md#L0-0",
    "references/big.md#L999999999",
    "pdf-processing#L7-2",
    "\0",
    "[",
    -1,
    0,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    null,
  ),
  anyUnits,
  fc.integer(),
  fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
);

const object = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));

const input = fc.oneof(
  { weight: 4, arbitrary: object },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: anyUnits },
  { weight: 1, arbitrary: fc.anything({ withBigInt: true, withNullPrototype: true }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"__proto__":{"ok":true},"skill_name":"dates"}',
      '{"skill_name":'.repeat(3000),
      "[".repeat(20_000),
    ),
  },
);

it.each(PRESETS)(
  "T-07 whatever a model sends, the tools of %s answer and give away nothing hidden",
  async (preset) => {
    const { skills } = await openToolSkills();
    const tools = createTools(skills.conversation(), { preset, ...OPTIONS });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tools), input, async (tool, given) => {
        const result = await tool.execute(given);
        expect(result).toBeDefined();
        const text = tool.toText(result);
        expect(typeof text).toBe("string");
        expect(text).not.toContain("Top secret");
        expect(Object.prototype).not.toHaveProperty("ok");
      }),
      { numRuns: numRuns(200) },
    );
  },
);
