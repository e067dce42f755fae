import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readCases } from "./index.ts";

const SKILLS = fileURLToPath(new URL("../../../../skills", import.meta.url));

describe("the cases of the built-in skills", () => {
  it.each(readdirSync(SKILLS))(
    "E-01 %s has cases that need no judge, for and against it",
    async (skill) => {
      const { cases, problems } = await readCases(join(SKILLS, skill));
      expect(problems).toEqual([]);
      const used = cases.filter(({ expected }) => expected.skills?.used.includes(skill));
      const unused = cases.filter(({ expected }) => expected.skills?.unused.includes(skill));
      expect(used.length).toBeGreaterThanOrEqual(12);
      expect(unused.length).toBeGreaterThanOrEqual(8);
      const checked = used.filter(({ expected }) => expected.output.length > 0);
      expect(checked.length).toBeGreaterThanOrEqual(4);
      // A request that names the skill shows nothing.
      expect(cases.filter(({ input }) => input.toLowerCase().includes(skill))).toEqual([]);
    },
  );
});
