import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { InputHistory } from "../index.ts";

function place(stateDirectory = join(temporaryFolder(), "state")) {
  const redactor = createRedactor({ env: { API_KEY: "s3cr3t-value" } });
  const folder = join(stateDirectory, "chat");
  const open = (project = "/work") => new InputHistory({ stateDirectory, project, redactor });
  const file = () => join(folder, readdirSync(folder)[0] ?? "");
  return { stateDirectory, folder, open, file };
}

describe("the history of what was typed", () => {
  it("C-01 is kept for each project, for its user only", () => {
    const { open, file, folder } = place();
    open().add("one");
    open().add("two\nlines");
    open().add("two\nlines");
    open().add("  ");
    expect(open().entries).toEqual(["one", "two\nlines"]);
    expect(open("/other").entries).toEqual([]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("P-03 holds no secret on disk", () => {
    const { open, file } = place();
    open().add("use s3cr3t-value please");
    expect(readFileSync(file(), "utf8")).not.toContain("s3cr3t-value");
    expect(open().entries[0]).toMatch(/^use \[.*\] please$/);
  });

  it("C-01 is bounded, and two conversations at once lose nothing", () => {
    const { open } = place();
    const one = open();
    const other = open();
    for (let i = 0; i < 600; i++) one.add(`entry ${i}`);
    other.add("from elsewhere");
    one.add("x".repeat(5000));
    const { entries } = open();
    expect(entries).toHaveLength(500);
    expect(entries.slice(-2)).toEqual(["entry 599", "from elsewhere"]);
  });

  it("C-01 one that is damaged or cannot be written is no reason not to talk", () => {
    const { open, file } = place();
    open().add("one");
    for (const text of ["{", "[]", '{"entries":[1,"two"]}']) {
      writeFileSync(file(), text);
      expect(open().entries).toEqual(text.includes("two") ? ["two"] : []);
    }
    const blocked = temporaryFolder({ state: "a file" });
    const history = place(join(blocked, "state")).open();
    history.add("still there");
    expect(history.entries).toEqual(["still there"]);
    expect(existsSync(join(blocked, "state", "chat"))).toBe(false);
  });
});
