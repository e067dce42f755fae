import { ownIdentity } from "@skillwright/core/internal";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { makeRunDirectory } from "./index.ts";

it("X-05 removes the folders of ended processes, and no others", () => {
  const ended = JSON.stringify({ ...ownIdentity(), boot: "another" });
  const parent = temporaryFolder({
    "skillwright-run-ended/owner": ended,
    "skillwright-run-running/owner": JSON.stringify(ownIdentity()),
    "skillwright-run-unknown/1/file": "x",
    "other/owner": ended,
  });
  makeRunDirectory(parent);
  const isThere = (name: string) => existsSync(join(parent, name));
  expect(isThere("skillwright-run-ended")).toBe(false);
  expect(["skillwright-run-running", "skillwright-run-unknown", "other"].filter(isThere)).toEqual([
    "skillwright-run-running",
    "skillwright-run-unknown",
    "other",
  ]);
});
