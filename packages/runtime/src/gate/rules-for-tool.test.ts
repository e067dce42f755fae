import fc from "fast-check";
import { expect, it } from "vitest";
import { decide, DEFAULT_POLICY } from "../index.ts";
import { runPolicyForTool, settingsForTool } from "./index.ts";

it("P-01 leaving out rules for other tools changes no decision", () => {
  const tool = fc.constantFrom(
    "Read",
    "Grep",
    "grep",
    "LS",
    "Write",
    "Bash",
    "*",
    "s*",
    "mcp__a",
    "x",
  );
  const specifier = fc.constantFrom("", "(a/**)", "(b)", "(*)", "(!a)", "(");
  const rule = fc.tuple(tool, specifier).map((parts) => parts.join(""));
  const texts = fc.array(
    fc.oneof(
      rule,
      fc.tuple(rule, rule).map((two) => two.join(" ")),
    ),
    { maxLength: 3 },
  );
  const lists = fc.record({ deny: texts, ask: texts, allow: texts });
  const run = fc.record({ deny: texts, ask: texts, only: texts }, { requiredKeys: [] });
  const path = fc.constantFrom("./a/x", "./b", "./c/b/d");
  fc.assert(
    fc.property(lists, run, path, (given, runPolicy, file) => {
      const settings = { ...DEFAULT_POLICY, ...given };
      const request = {
        tool: "search_files",
        input: { path: file },
        places: { workingDirectory: "/w" },
        activeSkills: [],
      };
      const narrowed = {
        settings: settingsForTool(settings, "search_files"),
        runPolicy: runPolicyForTool(runPolicy, "search_files"),
      };
      expect(decide({ ...request, ...narrowed })).toEqual(
        decide({ ...request, settings, runPolicy }),
      );
    }),
  );
});
