import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CompiledPrograms, documentedPrograms } from "../support/docs/documented-programs.ts";
import { matchesOutput } from "../support/docs/match-output.ts";

const programs = documentedPrograms();

describe("the code of the pages", () => {
  const compiled = new CompiledPrograms(programs);
  let problems = "";
  beforeAll(() => {
    problems = compiled.compile();
  });
  afterAll(() => {
    compiled.dispose();
  });

  it("C-01 has the types of what was built", () => {
    expect(problems).toBe("");
    expect(programs.length).toBeGreaterThan(10);
  });

  it.concurrent.each(programs)("C-01 $name runs and prints what it says", async (program) => {
    const { exitCode, stdout, stderr } = await compiled.run(program);
    expect([exitCode, stderr]).toEqual([0, ""]);
    let rest = stdout.split("\n");
    for (const shown of program.shown) {
      const at = rest.findIndex((line) => matchesOutput(shown, line));
      expect(at, `"${shown}" in\n${stdout}`).not.toBe(-1);
      rest = rest.slice(at + 1);
    }
  });
});
