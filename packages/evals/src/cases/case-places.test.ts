import type * as FileSystem from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { CasePlaces } from "./case-places.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof FileSystem>();
  return { ...fs, readdirSync: vi.fn<typeof fs.readdirSync>(fs.readdirSync) };
});

it("E-01 looks at a folder once, however many files lie in it", () => {
  const folder = temporaryFolder({ "pdf/SKILL.md": "---\nname: PDF\ndescription: x\n---\n" });
  const places = new CasePlaces();
  const deep = join(folder, "pdf/evals/a/b/c/d");
  const found = Array.from({ length: 100 }, (_, i) => places.of(join(deep, `${i}.json`)));
  expect(new Set(found)).toEqual(new Set([{ skill: "PDF", bounds: join(folder, "pdf") }]));
  expect(vi.mocked(readdirSync)).toHaveBeenCalledTimes(6);
});
