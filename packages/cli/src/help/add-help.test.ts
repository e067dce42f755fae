import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addHelp } from "./index.ts";

const HELP = {
  examples: { "skillwright list": "all of them", "skillwright list --all": "and the rest" },
  exitCodes: { 0: "done", 130: "interrupted, which is what happens when somebody presses Ctrl-C" },
  seeAlso: ["skillwright explain", "docs/registry.md"],
};

describe("addHelp", () => {
  it("C-01 puts examples beside what they are for, where there is room", () => {
    expect(helpIn(80)).toContain(
      "  skillwright list        all of them\n  skillwright list --all  and the rest\n",
    );
  });

  it("C-01 and below it, where there is none", () => {
    const text = helpIn(34);
    expect(text).toContain("  # all of them\n  skillwright list\n");
    expect(text).toMatch(/ 130 {2}interrupted, which is what\n {7}happens/);
    expect(text).toMatch(/See also: skillwright explain,\ndocs\/registry\.md/);
  });

  it("C-01 says nothing before it is asked", () => {
    let reads = 0;
    const examples = new Proxy(HELP.examples, {
      ownKeys: (target) => {
        reads++;
        return Reflect.ownKeys(target);
      },
    });
    const command = addHelp(new Command("list"), { ...HELP, examples });
    expect(reads).toBe(0);
    command.configureOutput({ writeOut: () => undefined }).outputHelp();
    expect(reads).toBeGreaterThan(0);
  });
});

function helpIn(width: number): string {
  let text = "";
  const command = new Command("list")
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({ writeOut: (more) => (text += more), getOutHelpWidth: () => width });
  addHelp(command, HELP).outputHelp();
  return text;
}
