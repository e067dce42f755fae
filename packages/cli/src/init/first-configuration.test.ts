import { describe, expect, it } from "vitest";
import { workplace } from "../../../../test/support/workplace.ts";
import { FIRST_CONFIGURATION } from "./index.ts";

interface ShownValue {
  readonly path: string;
  readonly value: unknown;
  readonly layer: string;
}

describe("the first configuration", () => {
  it("C-02 sets nothing, and its comments hold the defaults that a project may set", async () => {
    const plain = await valuesOf(FIRST_CONFIGURATION);
    expect(new Set(plain.map(({ layer }) => layer))).toEqual(new Set(["default"]));
    const open = await valuesOf(FIRST_CONFIGURATION.replace(/^( *)\/\/ (?=")/gm, "$1"));
    const set = open.filter(({ layer }) => layer === "project").map(({ path }) => path);
    // An object without members, such as that of lint.rules, sets nothing.
    expect(set.sort()).toEqual([
      "disabledSkills",
      "execution.require_approval_for",
      "policy.deny",
      "skillTools.enableUserSkills",
    ]);
    const withoutLayer = ({ path, value }: ShownValue) => ({ path, value });
    expect(open.map(withoutLayer)).toEqual(plain.map(withoutLayer));
  });
});

/** In a trusted project with this configuration, about which there is nothing to say. */
async function valuesOf(text: string): Promise<ShownValue[]> {
  const { run, json } = workplace({ ".agent/config.json": text });
  await run("trust");
  expect((await run("config")).stderr).toBe("");
  return (await json("config"))["values"] as ShownValue[];
}
