import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFAULT_POLICY } from "../index.ts";
import { decide, type PolicyRequest } from "../internal/index.ts";

type Recorded = Pick<PolicyRequest, "tool" | "input"> &
  Partial<Omit<PolicyRequest, "settings">> & {
    readonly settings: Partial<PolicyRequest["settings"]>;
  };

const FILE = new URL("../../../../test/conformance/golden/policy/commands.jsonl", import.meta.url);

/** What a reader of shell grammar decided about every command of the attack tests, and about random ones. */
const RECORDED = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as [Recorded, "allow" | "ask" | "deny"]);

it("P-01 shell words allow nothing that a shell grammar did not allow", () => {
  const more = RECORDED.filter(([request, before]) => {
    const { settings, ...rest } = request;
    const { decision } = decide({
      activeSkills: [],
      places: { workingDirectory: "/work", home: "/home/user" },
      ...rest,
      settings: { ...DEFAULT_POLICY, ...settings },
    });
    return decision === "allow" && before !== "allow";
  });
  expect(more).toEqual([]);
  expect(RECORDED.filter(([, before]) => before !== "allow").length).toBeGreaterThan(2000);
});
