import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { secretsIn } from "./secrets-in.ts";

describe("secretsIn", () => {
  it.each([
    ["tulip-plainpass77xyz", ["tulip-plainpass77xyz"]],
    ["Bearer abc12345", ["Bearer abc12345", "abc12345"]],
    ["hunter2", ["hunter2"]],
    ["postgres://me:s%2Fcret99@db/x", ["postgres://me:s%2Fcret99@db/x", "s%2Fcret99", "s/cret99"]],
    ["/Zm9vYmFyYmF6", ["/Zm9vYmFyYmF6"]],
  ])("P-04 %s is one, with what it is made of", (value, secrets) => {
    expect(secretsIn([value])).toEqual(secrets);
  });

  it.each(["", "1", "true", "docs", "debug", "8080", "production", "https://jira.example/"])(
    "P-04 %j is none: hiding it would hide what a server says",
    (value) => {
      expect(secretsIn([value])).toEqual([]);
    },
  );

  it("P-04 nor is a place on this machine, or a word in a sentence", () => {
    const folder = temporaryFolder();
    expect(secretsIn([folder, join(folder, "new.db")])).toEqual([]);
    expect(secretsIn(["some documents for everybody"])).toEqual(["some documents for everybody"]);
  });
});
