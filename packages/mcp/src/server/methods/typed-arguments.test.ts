import { describe, expect, it } from "vitest";
import { typedArguments } from "../index.ts";

const DECLARED = ["code", "branch"];

describe("typedArguments", () => {
  it.each([
    ['print("it\'s")', 'print("it\'s") ""'],
    ["it's", 'it\'s ""'],
    ["the first one", '"the first one" ""'],
    ['say "yes"', '\'say "yes"\' ""'],
    ["'quoted'", '"\'quoted\'" ""'],
  ])("D-02 H-02 %j is typed as it is", (code, expected) => {
    const { typed, restore } = typedArguments({ code }, DECLARED);
    expect(typed).toBe(expected);
    expect(restore(typed)).toBe(typed);
  });

  it("D-02 H-02 what has both quotes and blanks comes back as it is", () => {
    const code = 'say "it\'s" twice';
    const { typed, restore } = typedArguments({ code }, DECLARED);
    expect(typed.split('"')).toHaveLength(5);
    expect(restore(typed)).toContain(code);
  });

  it("D-02 H-02 nothing given is nothing typed, and only what is declared counts", () => {
    expect(typedArguments({ other: "x" }, DECLARED).typed).toBe("");
    expect(typedArguments({ arguments: "a  'b" }, []).typed).toBe("a  'b");
  });
});
